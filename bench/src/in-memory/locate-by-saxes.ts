import { SaxesParser } from 'saxes';

/** Limits of `@countersign/bpmn` that saxes leaves to its callers. */
const LIMITS = Object.freeze({ elements: 50_000, children: 10_000, depth: 128, namespaces: 500, attributes: 1_000 });

/**
 * Does the same as `locateElements` of `@countersign/bpmn/lint` with saxes: checks that the source is well-formed, has
 * no DOCTYPE and is within the limits, and returns the start of the first element with each id.
 */
export function locateBySaxes(source: string): ReadonlyMap<string, { readonly line: number; readonly column: number }> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const places = new Map<string, { line: number; column: number }>();
  const children: number[] = [];
  const count = { elements: 0, namespaces: 0, attributes: 0 };
  let begins = { line: 0, column: 0 };
  const limit = (name: keyof typeof LIMITS, reached: number): void => {
    if (reached > LIMITS[name]) throw new Error(`more ${name} than ${LIMITS[name]}`);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE');
  });
  parser.on('opentagstart', ({ name }) => {
    limit('elements', (count.elements += 1));
    if (children.length > 0) limit('children', (children[children.length - 1] = (children.at(-1) ?? 0) + 1));
    limit('depth', children.push(0));
    count.attributes = 0;
    // saxes reports a tag one character after its name.
    begins = { line: parser.line, column: parser.columnIndex - name.length - 1 };
  });
  parser.on('attribute', ({ name, value }) => {
    limit('attributes', (count.attributes += 1));
    if (name === 'xmlns' || name.startsWith('xmlns:')) limit('namespaces', (count.namespaces += 1));
    if (name === 'id' && !places.has(value)) places.set(value, begins);
  });
  parser.on('closetag', () => void children.pop());
  parser.write(source).close();
  return places;
}
