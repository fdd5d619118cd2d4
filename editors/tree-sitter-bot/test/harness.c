// Parses texts for the tests. Standard input holds frames, each the number of
// its bytes in decimal, a line break and the bytes. Of each the harness prints
// a summary in lines: the first fault of the tree, what the file declares,
// how often some nodes occur, how many characters the scanner has passed; then
// a line with a dot. Each text is also parsed as an edit of the one before it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/parser.h>

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_bot(void);

// The scanner is compiled with its entry point renamed, to count its steps.
bool counted_scan(void *payload, TSLexer *lexer, const bool *valid);

static unsigned long steps;
static void (*real_advance)(TSLexer *, bool);

static void counting_advance(TSLexer *lexer, bool skip) {
  steps++;
  real_advance(lexer, skip);
}

bool tree_sitter_bot_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  real_advance = lexer->advance;
  lexer->advance = counting_advance;
  bool found = counted_scan(payload, lexer, valid);
  lexer->advance = real_advance;
  return found;
}

typedef struct {
  char *bytes;
  uint32_t size;
} Text;

static bool read_frame(Text *text) {
  unsigned size;
  if (scanf("%u", &size) != 1) return false;
  if (getchar() != '\n') abort();
  text->bytes = malloc(size + 1);
  text->size = size;
  text->bytes[size] = 0;
  if (fread(text->bytes, 1, size, stdin) != size) abort();
  return true;
}

// edit_between is the change from one text to another: what lies between
// their common beginning and their common end.
static TSInputEdit edit_between(const Text *old, const Text *new) {
  uint32_t least = old->size < new->size ? old->size : new->size;
  uint32_t start = 0, end = 0;
  while (start < least && old->bytes[start] == new->bytes[start]) start++;
  while (end < least - start && old->bytes[old->size - end - 1] == new->bytes[new->size - end - 1]) end++;
  return (TSInputEdit){.start_byte = start, .old_end_byte = old->size - end, .new_end_byte = new->size - end};
}

static TSPoint point_at(const Text *text, uint32_t offset) {
  TSPoint point = {0, 0};
  for (uint32_t i = 0; i < offset; i++) {
    point.column++;
    if (text->bytes[i] == '\n') point = (TSPoint){point.row + 1, 0};
  }
  return point;
}

// first_fault is the innermost node at which the first fault stands.
static TSNode first_fault(TSNode node) {
  for (uint32_t i = 0; i < ts_node_child_count(node); i++) {
    TSNode child = ts_node_child(node, i);
    if (ts_node_has_error(child) || ts_node_is_missing(child)) return first_fault(child);
  }
  return node;
}

static void print_text(const Text *text, TSNode node) {
  uint32_t start = ts_node_start_byte(node);
  printf(" %.*s", (int)(ts_node_end_byte(node) - start), text->bytes + start);
}

// print_outline prints the declarations: their type and the texts that name
// them.
static void print_outline(const Text *text, TSNode root) {
  static const char *fields[] = {"version", "path", "group", "prefix", "kind", "name"};
  for (uint32_t i = 0; i < ts_node_named_child_count(root); i++) {
    TSNode node = ts_node_named_child(root, i);
    if (!strcmp(ts_node_type(node), "comment")) continue;
    printf("%s", ts_node_type(node));
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
      TSNode named = ts_node_child_by_field_name(node, fields[f], strlen(fields[f]));
      if (!ts_node_is_null(named)) print_text(text, named);
    }
    putchar('\n');
  }
}

static const char *counted[] = {"edge", "property", "item", "declaration", "with_entry"};
enum { COUNTED = sizeof counted / sizeof *counted };

static void count(TSNode node, unsigned *counts) {
  for (int i = 0; i < COUNTED; i++) counts[i] += !strcmp(ts_node_type(node), counted[i]);
  for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) count(ts_node_named_child(node, i), counts);
}

static void report(const Text *text, TSNode root) {
  if (ts_node_has_error(root)) {
    TSPoint at = ts_node_start_point(first_fault(root));
    printf("fault %u:%u\n", at.row + 1, at.column + 1);
  } else {
    print_outline(text, root);
    unsigned counts[COUNTED] = {0};
    count(root, counts);
    for (int i = 0; i < COUNTED; i++) printf("%s%s=%u", i ? " " : "", counted[i], counts[i]);
    putchar('\n');
  }
  printf("steps %lu\n", steps);
}

// check_edited parses text as an edit of the one before it. Of a text without
// a fault both trees must be the same.
static void check_edited(TSParser *parser, TSTree *before, const Text *old, const Text *new, TSNode fresh) {
  TSInputEdit edit = edit_between(old, new);
  edit.start_point = point_at(old, edit.start_byte);
  edit.old_end_point = point_at(old, edit.old_end_byte);
  edit.new_end_point = point_at(new, edit.new_end_byte);
  ts_tree_edit(before, &edit);
  TSTree *tree = ts_parser_parse_string(parser, before, new->bytes, new->size);
  if (!ts_node_has_error(fresh)) {
    char *want = ts_node_string(fresh);
    char *got = ts_node_string(ts_tree_root_node(tree));
    if (strcmp(want, got)) printf("edited %s\nfresh %s\n", got, want);
    free(want);
    free(got);
  }
  ts_tree_delete(tree);
}

int main(void) {
  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_bot())) abort();
  Text old = {0}, new;
  TSTree *before = NULL;
  for (; read_frame(&new); old = new) {
    steps = 0;
    TSTree *tree = ts_parser_parse_string(parser, NULL, new.bytes, new.size);
    report(&new, ts_tree_root_node(tree));
    if (before) check_edited(parser, before, &old, &new, ts_tree_root_node(tree));
    printf(".\n");
    ts_tree_delete(before);
    free(old.bytes);
    before = tree;
  }
  ts_tree_delete(before);
  free(old.bytes);
  ts_parser_delete(parser);
  return ferror(stdout) || fflush(stdout);
}
