/**
 * Limits for a model file. Size and XML structure are checked in one linear pass before the XML becomes objects, so
 * that refusing a hostile file costs no more than reading it.
 */
export const MODEL_LIMITS = Object.freeze({
  /** Bytes of UTF-8. */
  bytes: 4 * 1024 * 1024,
  /** XML elements, diagram included. */
  elements: 50_000,
  /** Direct children of one XML element: the time to resolve references is quadratic in their number. */
  children: 10_000,
  /** Nesting levels of XML elements. Nested sub-processes take one level each, extension elements a few. */
  depth: 128,
  /** Nesting levels of sub-processes. */
  scopes: 50,
  /** Namespace declarations: for each new one, the XML reader copies those in scope. */
  namespaces: 500,
  /** Attributes of one XML element. */
  attributes: 1_000,
  /** Number of reported problems after which checking stops. */
  problems: 500,
});
