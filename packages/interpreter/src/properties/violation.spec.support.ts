/** Thrown when a property does not hold. */
export class Violation extends Error {
  constructor(property: string) {
    super(`It does not hold that ${property}.`);
    this.name = 'Violation';
  }
}

/** @param property what must hold, as a clause */
export function assertProperty(holds: boolean, property: string): asserts holds {
  if (!holds) throw new Violation(property);
}
