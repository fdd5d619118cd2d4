package reference
import ("testing";"os";"path/filepath";"fmt")
func TestZ(t *testing.T){
 fmt.Println(build().String())
 for _, d := range []string{"bots","syntax","examples"} {
 m,_ := filepath.Glob("../../corpus/"+d+"/*.bot")
 for _, f := range m { b,_ := os.ReadFile(f); if _, err := Parse(string(b)); err!=nil { fmt.Println(f, err) } }
 }
}
