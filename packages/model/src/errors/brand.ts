/**
 * Brands recognize the classes of this package across copies of it. A plugin may have a copy in a `node_modules` of its
 * own, and `instanceof` only knows the classes of the copy that it was compiled against. A brand is a registered symbol,
 * so all copies share it, and no input can carry it: neither JSON nor a structured clone holds properties with symbols.
 */

const nameOf = (className: string): symbol => Symbol.for(`@countersign/core:is${className}`);

/**
 * Brands the instances of a class and of its subclasses. The brand is a property of the prototype, so that it does not
 * show in logs and comparisons.
 *
 * @param className the same in all versions: it says what the brand promises
 */
export function brand(type: { readonly prototype: object }, className: string): void {
  Object.defineProperty(type.prototype, nameOf(className), { value: true });
}

/** Whether a value is an instance of the branded class, or of a subclass, of any copy of this package. */
export function hasBrand(value: unknown, className: string): boolean {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[nameOf(className)] === true;
}
