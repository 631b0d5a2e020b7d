import { expect } from 'chai';
import fc from 'fast-check';
import { jsonInPieces } from './json-in-pieces.js';

/** @returns the written text, and the number of pauses */
function writeJson(value: unknown): { text: string; pauses: number } {
  const pieces = jsonInPieces(value);
  let pauses = 0;
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return { text: step.value, pauses };
    pauses += 1;
  }
}

describe('jsonInPieces()', () => {
  it('should produce the output of JSON.stringify()', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(300), (value, times) => {
        const largeValue = {
          list: Array.from({ length: times }, () => value),
          object: Object.fromEntries(Array.from({ length: times }, (_, index) => [`"${index}\n`, value])),
          value,
        };
        expect(writeJson(largeValue).text).to.equal(JSON.stringify(largeValue));
      }),
      { numRuns: 50 },
    );
  });

  it('should treat values outside JSON as JSON.stringify() does, in small and large values', () => {
    const unsupportedValues = [undefined, () => 1, new Date(0), Number.NaN, { omitted: undefined, kept: null }];
    const longList = Array.from({ length: 1_000 }, (_, index) => unsupportedValues[index % unsupportedValues.length]);
    const values = [
      undefined,
      ...unsupportedValues,
      unsupportedValues,
      longList,
      Object.fromEntries(longList.entries()),
      { omitted: undefined, longList },
      Object.fromEntries(longList.map((_, index) => [index, undefined])),
    ];
    for (const value of values) expect(writeJson(value).text).to.equal(JSON.stringify(value));
  });

  it('should not yield for a small value but often for a large one', () => {
    const step = { stepId: 'a'.repeat(36), elementId: 'task', data: { name: 'Task', items: [1, 2, 3] } };
    expect(writeJson([step]).pauses).to.equal(0);

    const { text, pauses } = writeJson({ steps: Array.from({ length: 20_000 }, () => step) });
    expect(text.length / pauses).to.be.lessThan(20_000);
  });

  it('should produce the output of JSON.stringify() for deeply nested values', () => {
    let deep: unknown = Array.from({ length: 500 }, (_, index) => index);
    for (let level = 0; level < 150; level += 1) deep = { level, deep };
    expect(writeJson(deep).text).to.equal(JSON.stringify(deep));
  });
});
