/** Thrown when a property does not hold. */
export class Violation extends Error {
  constructor(property: string) {
    super(`Property violated: ${property}.`);
    this.name = 'Violation';
  }
}

/**
 * Asserts a property.
 *
 * @param property the expected property, as a clause
 * @throws {Violation} if the property does not hold
 */
export function assertProperty(holds: boolean, property: string): asserts holds {
  if (!holds) throw new Violation(property);
}
