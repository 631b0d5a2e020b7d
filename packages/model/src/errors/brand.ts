/**
 * Brands recognize the classes of this package across copies of it. A plugin may have a separate copy in
 * `node_modules`, and `instanceof` recognizes only the classes of the copy that the plugin imports. A brand is a
 * registered symbol: all copies share it, and no input can have it, because neither JSON nor a structured clone
 * contains symbol properties.
 */

const brandSymbol = (className: string): symbol => Symbol.for(`@countersign/core:is${className}`);

/**
 * Brands the instances of a class and of its subclasses. The brand is a property of the prototype, so that it does not
 * appear in logs and comparisons.
 *
 * @param className the same in all versions; it identifies what the brand guarantees
 */
export function brand(type: { readonly prototype: object }, className: string): void {
  Object.defineProperty(type.prototype, brandSymbol(className), { value: true });
}

/** Returns whether a value is an instance of the branded class or of a subclass, from any copy of this package. */
export function hasBrand(value: unknown, className: string): boolean {
  return (
    typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brandSymbol(className)] === true
  );
}
