package shell

import "mvdan.cc/sh/v3/syntax"

// maxStages bounds a pipeline: every run of its stages is a text.
const maxStages = 12

// pipeline reads `a | b | c`. Each stage has a shell of its own.
func (r *reader) pipeline(b *syntax.BinaryCmd, at place) outcome {
	timed := at.timed
	stages := stagesOf(b)
	outs := make([]outcome, len(stages))
	inner := at
	for i, stage := range stages {
		inner.timed, inner.piped = "", at.piped || i > 0
		if i == 0 {
			inner.timed = timed
		}
		if i > 0 {
			inner.stdin = input{kind: pipeInput, stmts: stages[i-1 : i], from: ref(inner.stdin)}
		}
		outs[i] = r.stmt(stage, inner)
	}
	written := certain(at.between(stages[0].Pos(), endOf(stages[len(stages)-1])))
	r.add(written)
	if len(stages) > maxStages {
		r.opaque(tooLarge)
		stages = stages[:maxStages]
	}
	for i := range stages {
		normal, peeled := outs[i].normal, outs[i].inner
		for j := i + 1; j < len(stages); j++ {
			normal, peeled = normal.pipe(outs[j].normal), peeled.pipe(outs[j].inner)
			r.add(normal)
			r.add(peeled)
		}
	}
	return outcome{ok: at.in, fail: at.in, normal: written, inner: written}
}

func stagesOf(b *syntax.BinaryCmd) []*syntax.Stmt {
	n := 2
	for x := b; ; n++ {
		next, ok := x.X.Cmd.(*syntax.BinaryCmd)
		if !ok || next.Op != syntax.Pipe && next.Op != syntax.PipeAll || x.X.Negated {
			break
		}
		x = next
	}
	stages := make([]*syntax.Stmt, n)
	for i := n - 1; i > 0; i-- {
		stages[i], stages[i-1] = b.Y, b.X
		if i > 1 {
			b = b.X.Cmd.(*syntax.BinaryCmd)
		}
	}
	return stages
}

// endOf is where a statement ends, bodies of here-documents aside.
func endOf(s *syntax.Stmt) syntax.Pos {
	end := s.Pos()
	if s.Cmd != nil {
		end = s.Cmd.End()
	}
	for _, rd := range s.Redirs {
		if e := rd.Word.End(); e.After(end) {
			end = e
		}
	}
	return end
}

// pipe joins two stages.
func (p part) pipe(q part) part {
	joined := part{p.text + " | " + q.text, p.fixed}
	if p.static() {
		joined.fixed = len(p.text) + len(" | ") + q.fixed
	}
	return joined
}
