import { SaxesParser } from 'saxes';

/** Limits of `@countersign/bpmn` that saxes leaves to its callers. */
const LIMITS = Object.freeze({ elements: 50_000, children: 10_000, depth: 128, namespaces: 500, attributes: 1_000 });

/**
 * Does the work of `locateElements` of `@countersign/bpmn/lint` with saxes: checks that the source is well-formed, has
 * no DOCTYPE and is within the limits, and returns the start of the first element with each id.
 */
export function locateElementsWithSaxes(
  source: string,
): ReadonlyMap<string, { readonly line: number; readonly column: number }> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const locations = new Map<string, { line: number; column: number }>();
  const children: number[] = [];
  const counts = { elements: 0, namespaces: 0, attributes: 0 };
  let tagStart = { line: 0, column: 0 };
  const requireWithinLimit = (name: keyof typeof LIMITS, actual: number): void => {
    if (actual > LIMITS[name]) throw new Error(`The source exceeds the limit of ${LIMITS[name]} for ${name}.`);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('The source has a DOCTYPE.');
  });
  parser.on('opentagstart', ({ name }) => {
    requireWithinLimit('elements', (counts.elements += 1));
    if (children.length > 0)
      requireWithinLimit('children', (children[children.length - 1] = (children.at(-1) ?? 0) + 1));
    requireWithinLimit('depth', children.push(0));
    counts.attributes = 0;
    // saxes emits `opentagstart` when it has read one character past the tag name.
    tagStart = { line: parser.line, column: parser.columnIndex - name.length - 1 };
  });
  parser.on('attribute', ({ name, value }) => {
    requireWithinLimit('attributes', (counts.attributes += 1));
    if (name === 'xmlns' || name.startsWith('xmlns:')) requireWithinLimit('namespaces', (counts.namespaces += 1));
    if (name === 'id' && !locations.has(value)) locations.set(value, tagStart);
  });
  parser.on('closetag', () => void children.pop());
  parser.write(source).close();
  return locations;
}
