[
  (declaration)
  (section)
  (prompt)
  (property (block))
  (property value: (block_scalar))
  (property value: (raw_string))
  (with)
] @fold
