[
  (declaration)
  (section)
  (prompt)
  (property)
  (with)
] @indent

(with "}" @outdent)
