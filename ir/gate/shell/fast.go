package shell

func plainScript(command, workdir string) *Script { return nil }
