; For nvim-treesitter.
[
  (declaration)
  (section)
  (prompt)
  (property)
  (with)
] @indent.begin

(with "}" @indent.branch)

(text) @indent.auto
