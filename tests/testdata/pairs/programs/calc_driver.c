/* A small language: formulas are parsed by recursive descent into a tree, checked, and worked out for many rows. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DEPTH
#define DEPTH 3
#endif
#ifndef ROWS
#define ROWS 200
#endif
#define NOINLINE __attribute__((noinline))

typedef struct Node {
  char kind;
  double number;
  char name[12];
  struct Node *left, *right;
} Node;

typedef struct {
  const char *at;
  int depth;
} Parser;

typedef struct {
  char name[12];
  double value;
} Variable;

static Variable variables[40];
static int variable_count;
static long checked, looked_up;
static char *log_buffer;

#ifdef POOL
static Node pool[200000];
static int pool_used;
NOINLINE static Node *new_node(char kind, Node *left, Node *right) {
  Node *node = &pool[pool_used++];
#else
NOINLINE static Node *new_node(char kind, Node *left, Node *right) {
#ifdef CLEARED
  Node *node = calloc(1, sizeof *node + 2000);
#else
  Node *node = malloc(sizeof *node);
#endif
#endif
  node->kind = kind;
  node->number = 0;
  node->name[0] = 0;
  node->left = left;
  node->right = right;
  return node;
}

NOINLINE static void free_tree(Node *node) {
  if (!node) return;
  free_tree(node->left);
  free_tree(node->right);
#ifndef POOL
  free(node);
#endif
}

NOINLINE static void skip_space(Parser *parser) {
  while (isspace((unsigned char)*parser->at)) ++parser->at;
}

#ifdef TRACED
NOINLINE static void trace(const char *what, Parser *parser) { snprintf(log_buffer, 200, "%s at %.20s, depth %d", what, parser->at, parser->depth); }
#else
#define trace(what, parser)
#endif

static Node *parse_sum(Parser *parser);

NOINLINE static Node *parse_primary(Parser *parser) {
  Node *node;
  trace("primary", parser);
  skip_space(parser);
  if (*parser->at == '(') {
    ++parser->at;
    ++parser->depth;
    node = parse_sum(parser);
    --parser->depth;
    skip_space(parser);
    if (*parser->at == ')') ++parser->at;
    return node;
  }
  if (isdigit((unsigned char)*parser->at)) {
    char *end;
    node = new_node('n', NULL, NULL);
    node->number = strtod(parser->at, &end);
    parser->at = end;
    return node;
  }
  node = new_node('v', NULL, NULL);
  {
    int used = 0;
    while (isalnum((unsigned char)*parser->at) && used < 11) node->name[used++] = *parser->at++;
    node->name[used] = 0;
  }
  return node;
}

NOINLINE static Node *parse_product(Parser *parser) {
  Node *node = parse_primary(parser);
  for (;;) {
    skip_space(parser);
    if (*parser->at != '*' && *parser->at != '/') return node;
    {
      char kind = *parser->at++;
#ifdef BACKTRACKING
      const char *start = parser->at;
      free_tree(parse_primary(parser)); /* looks whether there is one, then reads it */
      parser->at = start;
#endif
      node = new_node(kind, node, parse_primary(parser));
    }
  }
}

NOINLINE static Node *parse_sum(Parser *parser) {
  Node *node = parse_product(parser);
  for (;;) {
    skip_space(parser);
    if (*parser->at != '+' && *parser->at != '-') return node;
    {
      char kind = *parser->at++;
      node = new_node(kind, node, parse_product(parser));
    }
  }
}

NOINLINE static int depth_of(const Node *node) {
  int left, right;
  if (!node) return 0;
  left = depth_of(node->left);
  right = depth_of(node->right);
  return 1 + (left > right ? left : right);
}

NOINLINE static double value_of(const char *name) {
  int i;
  ++looked_up;
#ifdef HASHED
  {
    unsigned hash = 0;
    const char *c;
    for (c = name; *c; ++c) hash = hash * 31 + (unsigned char)*c;
    i = (int)(hash % 40);
    while (variables[i].name[0] && strcmp(variables[i].name, name) != 0) i = (i + 1) % 40;
    return variables[i].value;
  }
#endif
  for (i = 0; i < variable_count; ++i)
    if (strcmp(variables[i].name, name) == 0) return variables[i].value;
  return 0;
}

NOINLINE static double evaluate(Node *node) {
#ifdef CHECKED_EACH
  if (depth_of(node) > 200) abort();
#endif
  ++checked;
  switch (node->kind) {
    case 'n': return node->number;
    case 'v': return value_of(node->name);
    case '+': return evaluate(node->left) + evaluate(node->right);
    case '-': return evaluate(node->left) - evaluate(node->right);
    case '*': return evaluate(node->left) * evaluate(node->right);
    default: {
      double by = evaluate(node->right);
#ifdef TWICE
      return by == 0 ? 0 : evaluate(node->left) / evaluate(node->right);
#else
      return by == 0 ? 0 : evaluate(node->left) / by;
#endif
    }
  }
}

NOINLINE static void set_variable(int i, double value) {
#ifdef HASHED
  unsigned hash = 0;
  char name[12], *c;
  int at;
  sprintf(name, "x%d", i);
  for (c = name; *c; ++c) hash = hash * 31 + (unsigned char)*c;
  at = (int)(hash % 40);
  while (variables[at].name[0] && strcmp(variables[at].name, name) != 0) at = (at + 1) % 40;
  strcpy(variables[at].name, name);
  variables[at].value = value;
#else
  sprintf(variables[i].name, "x%d", i);
  variables[i].value = value;
  if (i >= variable_count) variable_count = i + 1;
#endif
}

static int write_formula(char *out, int depth, unsigned *state) {
  int used = 0;
  *state = *state * 1103515245u + 12345u;
  if (depth == 0) return (*state >> 16) % 3 == 0 ? sprintf(out, "%u.5", (*state >> 20) % 90) : sprintf(out, "x%u", (*state >> 20) % 20);
  used += sprintf(out + used, "(");
  used += write_formula(out + used, depth - 1, state);
  used += sprintf(out + used, " %c ", "+-*/"[(*state >> 18) % 4]);
  used += write_formula(out + used, depth - 1, state);
  used += sprintf(out + used, ")");
  return used;
}

int main(void) {
  static char formulas[60][6000];
  Node *trees[60];
  unsigned state = 5;
  int i, row;
  double sum = 0;
  log_buffer = malloc(400);
  for (i = 0; i < 60; ++i) write_formula(formulas[i], DEPTH, &state);
  for (i = 0; i < 60; ++i) {
    Parser parser = {formulas[i], 0};
    trees[i] = parse_sum(&parser);
  }
  for (row = 0; row < ROWS; ++row) {
    for (i = 0; i < 20; ++i) set_variable(i, row + i * 0.5);
    for (i = 0; i < 60; i += 6) {
#ifdef PARSED_EACH
      Parser parser = {formulas[i], 0};
      Node *tree = parse_sum(&parser);
      sum += evaluate(tree);
      free_tree(tree);
#else
      sum += evaluate(trees[i]);
#endif
    }
  }
  for (i = 0; i < 60; ++i) free_tree(trees[i]);
  free(log_buffer);
  printf("%g %ld %ld\n", sum, checked, looked_up);
  return 0;
}
