package printer
import ("testing";"os";"path/filepath";"strings";"iterion/ast/source";"errors";"bytes";"os/exec")
func TestTmp(t *testing.T){
 filepath.Walk("../../corpus",func(p string,i os.FileInfo,e error)error{ if strings.HasSuffix(p,".bot"){r,_:=os.ReadFile(p)
  out,err:=Format(source.Load(p,r)); var se *SyntaxError
  if errors.As(err,&se){t.Log("syntax",err);return nil}
  if err!=nil{t.Error(err);return nil}
  out2,err:=Format(source.Load(p,out)); if err!=nil{t.Error("second",err);return nil}
  if !bytes.Equal(out,out2){t.Error("not idempotent",p)}
  if !bytes.Equal(out,r){ os.WriteFile("/tmp/fmtwork/out.bot",out,0644); d,_:=exec.Command("diff","-u",p,"/tmp/fmtwork/out.bot").Output(); t.Log(p,string(d))}
 }; return nil})
}
