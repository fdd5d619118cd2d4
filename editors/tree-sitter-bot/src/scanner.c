// What a context-free lexer cannot see: indentation, texts that end where the
// indentation does, templates inside texts, and the braces of a `with`. The
// rules are those of grammar/lexer.
//
// The tokens that end a line and open or close a level are empty and stand at
// the end of the line before, so that a node ends with its text. How far a look ahead reaches is kept linear
// in the file: what one found is kept in the state where it could be asked
// again line by line.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tree_sitter/parser.h"

enum Token {
  NEWLINE,
  INDENT,
  DEDENT,
  TEXT_START,
  TEXT,
  TEXT_BREAK,
  MARGIN,
  TEXT_END,
  QUOTED_TEXT,
  RAW_TEXT,
  TEMPLATE_OPEN,
  WITH_OPEN,
  WITH_CLOSE,
  SOFT_BREAK,
  CLOSE_BRACKET,
  CLOSE_BRACE,
  CLOSE_PAREN,
  IN_RAW_EXPRESSION,
  BETWEEN,
  RECOVERY,
};

// MAX_DEPTH is how many levels may be open at once, as in grammar/lexer.
enum { MAX_DEPTH = 100, MAX_COLUMN = 0xffff };

// Where in an indented text the scanner stands.
enum Text { NO_TEXT, FIRST_LINE, IN_LINE, LINE_BREAK, LINE_MARGIN, LAST_LINE };

// Whether the braces of a `with` are open, and whether their lines are known
// to go on at the margin.
enum With { NO_WITH, WITH_BODY, WITH_MARGIN };

// What is known of the next line of code while comments stand before it.
enum Ahead { UNKNOWN, INSIDE };

// Scanner is plain data: its bytes are what is kept between tokens.
typedef struct {
  uint8_t text;  // enum Text
  uint8_t with;  // enum With
  uint8_t ahead; // enum Ahead
  uint8_t depth; // of levels
  uint16_t width; // indentation of the text
  uint16_t levels[MAX_DEPTH]; // open indentations above the margin's
} Scanner;

_Static_assert(sizeof(Scanner) <= TREE_SITTER_SERIALIZATION_BUFFER_SIZE,
               "the deepest state must fit");

static uint16_t level(const Scanner *s) { return s->depth ? s->levels[s->depth - 1] : 0; }

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static void skip(TSLexer *lexer) { lexer->advance(lexer, true); }

static bool emit(TSLexer *lexer, enum Token token) {
  lexer->result_symbol = token;
  return true;
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_letter(int32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static void pass_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

static bool pass(TSLexer *lexer, int32_t c) {
  if (lexer->lookahead != c) return false;
  advance(lexer);
  return true;
}

// Templates

// pass_quoted passes a text between double quotes that holds something.
static bool pass_quoted(TSLexer *lexer) {
  if (!pass(lexer, '"') || lexer->lookahead == '"') return false;
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '"') advance(lexer);
  return pass(lexer, '"');
}

static bool is_segment(int32_t c) {
  switch (c) {
    case 0: case '{': case '}': case '.': case '"': case '`': case '\\':
    case ' ': case '\t': case '\r': case '\n': case '\f': case '\v':
      return false;
  }
  return true;
}

static bool pass_word(TSLexer *lexer) {
  if (!is_letter(lexer->lookahead)) return false;
  while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) advance(lexer);
  return true;
}

static bool pass_path(TSLexer *lexer) {
  while (pass(lexer, '.')) {
    if (!is_segment(lexer->lookahead)) return false;
    while (is_segment(lexer->lookahead)) advance(lexer);
  }
  return true;
}

// pass_include passes `include` when a quote follows.
static bool pass_include(TSLexer *lexer) {
  for (const char *c = "include"; *c; c++) {
    if (!pass(lexer, *c)) return false;
  }
  pass_blanks(lexer);
  return lexer->lookahead == '"';
}

// closes_template tells whether what follows `{{` is a reference, an include or
// the literal braces, up to its `}}`. It stops at the first character that
// cannot be, so what it passed holds neither a line break nor the end of a text.
static bool closes_template(TSLexer *lexer, bool quoted) {
  pass_blanks(lexer);
  if (lexer->lookahead == '"') {
    if (quoted) return false;
    advance(lexer);
    if (!pass(lexer, '{') || !pass(lexer, '{') || !pass(lexer, '"')) return false;
  } else if (lexer->lookahead == 'i') {
    if (pass_include(lexer)) {
      if (quoted || !pass_quoted(lexer)) return false;
    } else {
      while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) advance(lexer);
      if (!pass_path(lexer)) return false;
    }
  } else {
    if (pass(lexer, '!')) pass_blanks(lexer);
    if (!pass_word(lexer) || !pass_path(lexer)) return false;
  }
  pass_blanks(lexer);
  return pass(lexer, '}') && pass(lexer, '}');
}

// brace passes a `{`, and tells whether a template begins there. With content
// before it the token ends in front of the template, else behind its braces.
static bool brace(TSLexer *lexer, bool content, bool quoted) {
  if (content) lexer->mark_end(lexer);
  advance(lexer);
  if (lexer->lookahead != '{') return false;
  advance(lexer);
  if (!content) lexer->mark_end(lexer);
  return closes_template(lexer, quoted);
}

// scan_between_quotes reads a piece of a "…" or `…` text.
static bool scan_between_quotes(TSLexer *lexer, enum Token token) {
  bool quoted = token == QUOTED_TEXT;
  bool content = false;
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (quoted ? c == '"' || c == '\\' || c == '\n' : c == '`') break;
    if (c != '{') {
      advance(lexer);
    } else if (brace(lexer, content, quoted)) {
      return emit(lexer, content ? token : TEMPLATE_OPEN);
    }
    content = true;
  }
  lexer->mark_end(lexer);
  return content && emit(lexer, token);
}

// Indented texts

// goes_on looks ahead, at a line break, for a further line of the text.
static bool goes_on(const Scanner *s, TSLexer *lexer) {
  for (;;) {
    advance(lexer);
    uint32_t column = 0;
    for (; lexer->lookahead == ' '; column++) advance(lexer);
    bool deep = column >= s->width;
    pass_blanks(lexer);
    if (lexer->eof(lexer)) return false;
    if (lexer->lookahead != '\n') return deep;
  }
}

// scan_line reads a piece of a line of text, or the end of the text.
static bool scan_line(Scanner *s, TSLexer *lexer) {
  bool content = false;
  while (!lexer->eof(lexer) && lexer->lookahead != '\n') {
    if (lexer->lookahead != '{') {
      advance(lexer);
    } else if (brace(lexer, content, false)) {
      return emit(lexer, content ? TEXT : TEMPLATE_OPEN);
    }
    content = true;
  }
  lexer->mark_end(lexer);
  s->text = !lexer->eof(lexer) && goes_on(s, lexer) ? LINE_BREAK : LAST_LINE;
  return emit(lexer, TEXT);
}

// scan_break reads the end of a line and the blank lines below it.
static bool scan_break(Scanner *s, TSLexer *lexer) {
  s->text = LINE_MARGIN;
  while (pass(lexer, '\n')) {
    lexer->mark_end(lexer);
    pass_blanks(lexer);
  }
  return emit(lexer, TEXT_BREAK);
}

static bool scan_margin(Scanner *s, TSLexer *lexer) {
  s->text = IN_LINE;
  for (uint16_t i = 0; i < s->width && lexer->lookahead == ' '; i++) advance(lexer);
  lexer->mark_end(lexer);
  return emit(lexer, MARGIN);
}

static bool scan_first(Scanner *s, TSLexer *lexer) {
  uint16_t column = 0;
  while (!lexer->eof(lexer) && (lexer->lookahead == '\n' || is_blank(lexer->lookahead))) {
    if (lexer->lookahead == '\n') {
      column = 0;
    } else if (column++ == s->width) {
      break;
    }
    skip(lexer);
  }
  s->text = IN_LINE;
  return scan_line(s, lexer);
}

static bool scan_text(Scanner *s, TSLexer *lexer) {
  switch (s->text) {
    case FIRST_LINE: return scan_first(s, lexer);
    case IN_LINE: return scan_line(s, lexer);
    case LINE_BREAK: return scan_break(s, lexer);
    case LINE_MARGIN: return scan_margin(s, lexer);
  }
  s->text = NO_TEXT;
  lexer->mark_end(lexer);
  return emit(lexer, TEXT_END);
}

static bool open_text(Scanner *s, TSLexer *lexer, uint16_t column) {
  s->text = FIRST_LINE;
  s->width = column;
  return emit(lexer, TEXT_START);
}

// Layout

// next_line passes blank lines and stops at the first character of a line that
// is not; it returns that line's indentation, counted up to a tab.
static uint16_t next_line(TSLexer *lexer) {
  uint16_t column = 0;
  bool tab = false;
  while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') {
    if (lexer->lookahead == '\n') {
      column = 0;
      tab = false;
    } else if (lexer->lookahead == '\t') {
      tab = true;
    } else if (!tab && column < MAX_COLUMN) {
      column++;
    }
    skip(lexer);
  }
  return lexer->eof(lexer) ? 0 : column;
}

// next_code passes comment lines, too.
static uint16_t next_code(TSLexer *lexer) {
  uint16_t column = next_line(lexer);
  while (lexer->lookahead == '#') {
    while (!lexer->eof(lexer) && lexer->lookahead != '\n') skip(lexer);
    column = next_line(lexer);
  }
  return column;
}

static bool end_line(Scanner *s, TSLexer *lexer) {
  s->with = NO_WITH;
  s->ahead = UNKNOWN;
  return emit(lexer, NEWLINE);
}

static bool open_level(Scanner *s, TSLexer *lexer, uint16_t column) {
  s->levels[s->depth++] = column;
  s->ahead = UNKNOWN;
  return emit(lexer, INDENT);
}

static bool close_level(Scanner *s, TSLexer *lexer) {
  s->depth--;
  s->ahead = UNKNOWN;
  return emit(lexer, DEDENT);
}

// closes_level tells whether a line of code at column ends the innermost block.
// A column between two levels belongs to the inner one.
static bool closes_level(const Scanner *s, uint16_t column) {
  if (s->depth == 0) return false;
  return column <= (s->depth > 1 ? s->levels[s->depth - 2] : 0);
}

// scan_comment decides, before a comment left of the block, whether the block
// ends there or goes on behind the comments. The state keeps that it goes on,
// or each of many comments would look ahead for itself.
static bool scan_comment(Scanner *s, TSLexer *lexer, uint16_t column, const bool *valid) {
  if (!valid[DEDENT] || column >= level(s) || s->ahead == INSIDE) return false;
  if (closes_level(s, next_code(lexer))) return close_level(s, lexer);
  s->ahead = INSIDE;
  return emit(lexer, SOFT_BREAK);
}

static bool open_with(Scanner *s, TSLexer *lexer) {
  advance(lexer);
  lexer->mark_end(lexer);
  s->with = WITH_BODY;
  return emit(lexer, WITH_OPEN);
}

static bool close_with(Scanner *s, TSLexer *lexer) {
  advance(lexer);
  lexer->mark_end(lexer);
  s->with = NO_WITH;
  return emit(lexer, WITH_CLOSE);
}

// is_literal tells whether a value that a `with` takes begins here.
static bool is_literal(TSLexer *lexer) {
  if (lexer->lookahead == '"' || lexer->lookahead == '`' || is_digit(lexer->lookahead)) return true;
  if (lexer->lookahead != 't' && lexer->lookahead != 'f') return false;
  const char *c = lexer->lookahead == 't' ? "true" : "false";
  for (; *c; c++) {
    if (!pass(lexer, *c)) return false;
  }
  return !is_letter(lexer->lookahead) && !is_digit(lexer->lookahead);
}

// Line is what decides, of a line between the braces of a `with`.
typedef struct {
  int32_t last, before; // the last two characters that are not blank
  bool arrow, opener;   // `->` or `{` stands in it
} Line;

// rest_of_line passes the line. The first raw text of an entry may span lines.
static Line rest_of_line(TSLexer *lexer, bool entry) {
  Line line = {0};
  bool raw = false;
  while (!lexer->eof(lexer) && (raw || lexer->lookahead != '\n')) {
    int32_t c = lexer->lookahead;
    if (c == '`') {
      raw = entry && !raw;
      entry = raw;
    }
    line.arrow = line.arrow || (line.last == '-' && c == '>');
    line.opener = line.opener || c == '{';
    if (!is_blank(c)) {
      line.before = line.last;
      line.last = c;
    }
    advance(lexer);
  }
  return line;
}

// with_goes_on tells whether lines at the margin still belong to a `with`: its
// closing brace comes before anything that no entry can be.
static bool with_goes_on(TSLexer *lexer) {
  for (;; next_line(lexer)) {
    if (lexer->eof(lexer)) return false;
    if (lexer->lookahead == '}') return true;
    if (lexer->lookahead == '#') {
      rest_of_line(lexer, false);
      continue;
    }
    bool entry = pass_word(lexer);
    pass_blanks(lexer);
    entry = entry && pass(lexer, ':');
    pass_blanks(lexer);
    entry = entry && is_literal(lexer);
    Line line = rest_of_line(lexer, entry);
    if (!entry) return line.last == '}' && !line.arrow && !line.opener;
    if (line.last == '}' && line.before != '}') return true;
  }
}

// inside tells whether the line break before a line at column means nothing,
// since brackets are open. A line no deeper than the one that opened them ends
// them, so that a forgotten closer does not swallow what follows.
static bool inside(const Scanner *s, TSLexer *lexer, uint16_t column, const bool *valid) {
  if (!s->with && !valid[CLOSE_BRACKET] && !valid[CLOSE_BRACE] && !valid[CLOSE_PAREN]) return false;
  if (lexer->eof(lexer)) return false;
  int32_t c = lexer->lookahead;
  return column > level(s) || c == '#' || c == ']' || c == '}' || c == ')' || s->with == WITH_MARGIN;
}

// scan_code decides what ends before a line of code at column, or before the
// end of the file.
static bool scan_code(Scanner *s, TSLexer *lexer, uint16_t column, const bool *valid) {
  if (valid[INDENT] && column > level(s) && s->depth < MAX_DEPTH) return open_level(s, lexer, column);
  if (valid[DEDENT] && closes_level(s, column)) return close_level(s, lexer);
  return false;
}

// recover_line_break ends a line behind a fault, when every token counts as
// valid. It holds the line break, since the parser drops an empty token then.
// It decides no level: empty tokens that undo each other would go on forever.
static bool recover_line_break(Scanner *s, TSLexer *lexer) {
  if (!lexer->eof(lexer)) skip(lexer);
  lexer->mark_end(lexer);
  return end_line(s, lexer);
}

// scan_line_break decides what the end of a line, or of the file, means. In
// front of a line of code that neither opens nor closes a level it is a token,
// too: it parts the faults of two lines, which would grow into one else.
static bool scan_line_break(Scanner *s, TSLexer *lexer, const bool *valid) {
  if (valid[RECOVERY]) return recover_line_break(s, lexer);
  uint16_t column = next_line(lexer);
  if (valid[TEXT_START] && column > level(s) && !lexer->eof(lexer)) return open_text(s, lexer, column);
  if (valid[WITH_CLOSE] && lexer->lookahead == '}') return close_with(s, lexer);
  if (valid[NEWLINE] && !valid[BETWEEN]) return end_line(s, lexer);
  if (inside(s, lexer, column, valid)) return false;
  if (s->with && with_goes_on(lexer)) {
    s->with = WITH_MARGIN;
    return emit(lexer, SOFT_BREAK);
  }
  bool comment = lexer->lookahead == '#';
  if (comment ? scan_comment(s, lexer, column, valid) : scan_code(s, lexer, column, valid)) return true;
  if (!valid[BETWEEN]) return !valid[INDENT] && end_line(s, lexer); // the line is not complete
  if (comment || lexer->eof(lexer)) return false;
  lexer->mark_end(lexer);
  return end_line(s, lexer);
}

static bool scan(Scanner *s, TSLexer *lexer, const bool *valid) {
  lexer->mark_end(lexer);
  if (!valid[RECOVERY] && valid[QUOTED_TEXT]) return scan_between_quotes(lexer, QUOTED_TEXT);
  if (!valid[RECOVERY] && valid[RAW_TEXT]) return scan_between_quotes(lexer, RAW_TEXT);
  if (s->text != NO_TEXT) return valid[TEXT] && scan_text(s, lexer);
  while (is_blank(lexer->lookahead)) skip(lexer);
  if (valid[IN_RAW_EXPRESSION] && !valid[RECOVERY] && lexer->lookahead == '\n') return false;
  if (lexer->lookahead == '\n' || lexer->eof(lexer)) return scan_line_break(s, lexer, valid);
  if (valid[RECOVERY]) return false;
  if (lexer->lookahead == '{' && valid[WITH_OPEN]) return open_with(s, lexer);
  if (lexer->lookahead == '}' && valid[WITH_CLOSE]) return close_with(s, lexer);
  if (lexer->lookahead == '{' && valid[TEMPLATE_OPEN]) {
    return brace(lexer, false, true) && emit(lexer, TEMPLATE_OPEN);
  }
  return false;
}

// What tree-sitter calls

void *tree_sitter_bot_external_scanner_create(void) { return calloc(1, sizeof(Scanner)); }

void tree_sitter_bot_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_bot_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *s = payload;
  unsigned size = offsetof(Scanner, levels) + s->depth * sizeof(s->levels[0]);
  memcpy(buffer, s, size);
  return size;
}

void tree_sitter_bot_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length) memcpy(payload, buffer, length);
}

bool tree_sitter_bot_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  return scan(payload, lexer, valid);
}
