/**
 * Bounds of a model file. They are checked in one linear pass before the XML becomes objects, so that a hostile file
 * costs no more than reading it.
 */
export const MODEL_LIMITS = Object.freeze({
  /** Bytes of UTF-8. */
  bytes: 4 * 1024 * 1024,
  /** XML elements, diagram included. */
  elements: 50_000,
  /** Direct children of one XML element: resolving references costs the square of them, and what is made of them takes its time. */
  children: 10_000,
  /** Levels of XML elements. Sub-processes within sub-processes take one each, extension elements a few. */
  depth: 128,
  /** Levels of sub-processes within each other. */
  scopes: 50,
  /** Namespace declarations: the XML reader copies those in scope at each new one. */
  namespaces: 500,
  /** Attributes of one XML element. */
  attributes: 1_000,
  /** Problems that are reported before the rest is left out. */
  problems: 500,
});
