import { expect } from 'chai';
import { compileExpression, type Json } from './index.js';

/** An expression, the recorded result of Zeebe 8.6.0 (feel-engine 1.18.0), and the variables. */
export type ZeebeCase = readonly [
  expression: string,
  recordedResult: unknown,
  variables?: Readonly<Record<string, unknown>>,
];

/** The time when the results were recorded. */
export const RECORDED_AT = Date.UTC(2024, 8, 3, 10, 20, 30);

export function evaluate(expression: string, variables: Readonly<Record<string, unknown>> = {}): Json {
  return compileExpression(expression).evaluate({ variables: new Map(Object.entries(variables)), now: RECORDED_AT });
}

/** Rounds numbers to 14 digits, because some results were recorded with only 14 digits. */
function roundNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(14));
  if (Array.isArray(value)) return value.map(roundNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, roundNumbers(entry)]));
}

/** Declares one test for each case. The recorded result `invalid` means that the expression cannot be parsed. */
export function testZeebeCases(cases: readonly ZeebeCase[]): void {
  for (const [expression, recordedResult, variables] of cases) {
    it(`should evaluate ${expression}`, () => {
      if (recordedResult === 'invalid')
        expect(() => compileExpression(expression))
          .to.throw()
          .with.property('code', 'feel_syntax_error');
      else expect(roundNumbers(evaluate(expression, variables))).to.deep.equal(roundNumbers(recordedResult));
    });
  }
}
