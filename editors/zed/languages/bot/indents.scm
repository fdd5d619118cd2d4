(block) @indent
(with "{" "}" @end) @indent
