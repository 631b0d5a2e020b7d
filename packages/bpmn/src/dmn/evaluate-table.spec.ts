import { expect } from 'chai';
import type { Json } from '@countersign/model';
import {
  decision,
  compileDecision,
  definitions,
  evaluate,
  evaluateFailure,
  evaluateOutput,
  table,
  variable,
  type Table,
} from './decisions.spec.support.js';

/** Conditions that can be negated, variables, and whether the condition is true with the variables. */
const CONDITIONS: readonly (readonly [string, Record<string, unknown>, boolean])[] = [
  ['flag', { flag: true }, true],
  ['flag', { flag: false }, false],
  ['order.paid', { order: { paid: false } }, false],
  ['limit > 10', { limit: 11 }, true],
  ['limit > 10', { limit: 10 }, false],
  ['limit > 10 and flag', { limit: 11, flag: false }, false],
  ['limit in [1..5]', { limit: 7 }, false],
  ['is defined(y)', {}, false],
  ['is defined(y)', { y: 1 }, true],
  ['list contains(tags, "blocked")', { tags: ['a'] }, false],
  ['list contains(tags, "blocked")', { tags: ['blocked'] }, true],
  ['some tag in tags satisfies tag = "b"', { tags: ['a'] }, false],
  ['every tag in tags satisfies tag = "b"', { tags: ['b'] }, true],
  ['not(flag)', { flag: true }, false],
  ['limit > 10, flag', { limit: 1, flag: false }, false],
  ['limit > 10, flag', { limit: 1, flag: true }, true],
];

describe('evaluateTable', () => {
  const DISCOUNT: Table = {
    inputs: ['customer', 'orderSize'],
    rules: ['"Business" | < 10 => 0.1', '"Business" | >= 10 => 0.15', '"Private" | => 0.05'],
  };
  const cases: readonly (readonly [title: string, table: Table, variables: Record<string, unknown>, output: Json])[] = [
    ['a table with one output to the value of the output', DISCOUNT, { customer: 'Business', orderSize: 7 }, 0.1],
    ['an empty entry as a match for any input', DISCOUNT, { customer: 'Private', orderSize: 'unknown' }, 0.05],
    ['a table without a matching rule to null', DISCOUNT, { customer: 'Other', orderSize: 7 }, null],
    ['a comparison of different types to null', DISCOUNT, { customer: 'Business', orderSize: 'seven' }, null],
    [
      'a table with one named output to the value of the output',
      { rules: ['- => 1'], outputs: [{ name: 'n' }] },
      {},
      1,
    ],
    [
      'several outputs to a context',
      { rules: ['- => 1 | x'], outputs: [{ name: 'a' }, { name: 'b c' }] },
      { x: [2] },
      { 'a': 1, 'b c': [2] },
    ],
    ['a default if no rule matches', { rules: ['> 1 => 1'], outputs: [{ defaultEntry: 'x + 5' }] }, { x: 1 }, 6],
    [
      'a matching rule with the output null to null instead of the default',
      { rules: ['> 1 => null'], outputs: [{ defaultEntry: '5' }] },
      { x: 2 },
      null,
    ],
    [
      'the defaults of several outputs',
      {
        rules: ['> 1 => 1 | 2'],
        outputs: [
          { name: 'a', defaultEntry: '5' },
          { name: 'b', defaultEntry: '6' },
        ],
      },
      { x: 1 },
      { a: 5, b: 6 },
    ],
    [
      'the only default of several outputs to a plain value, as in Zeebe',
      { rules: ['> 1 => 1 | 2'], outputs: [{ name: 'a' }, { name: 'b', defaultEntry: '6' }] },
      { x: 1 },
      6,
    ],
    [
      'a default to a plain value instead of a list, even with hit policy COLLECT',
      { rules: ['> 1 => 1'], outputs: [{ defaultEntry: '5' }], attributes: 'hitPolicy="COLLECT"' },
      { x: 1 },
      5,
    ],
    ['a table without inputs', { inputs: [], rules: ['=> 3'] }, {}, 3],
    ['a table without rules', { rules: [] }, { x: 1 }, null],
    ['a negated entry', { rules: ['not("a", "b") => "other"', '"a" => "a"'] }, { x: 'c' }, 'other'],
    [
      'an entry that refers to its input',
      { rules: ['starts with(?, "AB") => true', 'not(starts with(?, "AB")) => false'] },
      { x: 'ABC' },
      true,
    ],
    // Conditions that do not read the input, with inputs that are not booleans (DMN 1.3, table 55).
    ...CONDITIONS.flatMap(([condition, variables, isTrue]) =>
      [{ x: 1 }, { x: 'a' }, { x: null }, { x: [true] }].map(
        (input): [string, Table, Record<string, unknown>, Json] => [
          `not(${condition}) with ${JSON.stringify({ ...input, ...variables })}`,
          { rules: [`not(${condition}) => "free"`, `${condition} => "blocked"`] },
          { ...input, ...variables },
          isTrue ? 'blocked' : 'free',
        ],
      ),
    ),
    [
      'an entry that reads other variables',
      { rules: ['> limit => "over"', '<= limit => "within"'] },
      { x: 5, limit: 5 },
      'within',
    ],
    ['a missing input', { rules: ['null => "none"', 'not(null) => "some"'] }, {}, 'none'],
    [
      'entries that compare dates',
      { inputs: ['date(x)'], rules: ['< date("2024-09-01") => "before"', '>= date("2024-09-01") => "after"'] },
      { x: '2024-10-01' },
      'after',
    ],
    ['a date result to a string', { rules: ['- => date(x) + duration("P1D")'] }, { x: '2024-12-31' }, '2025-01-01'],
  ];
  for (const [title, tableOptions, variables, output] of cases) {
    it(`should evaluate ${title}`, async () => {
      expect(await evaluateOutput(tableOptions, variables)).to.deep.equal(output);
    });
  }

  it('should record the inputs, the matched rules and the outputs', async () => {
    const tableOptions = { ...DISCOUNT, outputs: [{ name: 'discount' }] };
    const compiledDecision = await compileDecision(
      definitions(decision('d', table(tableOptions), 'name="The discount"')),
    );
    const { output, evaluatedDecisions } = evaluate(compiledDecision, { customer: 'Business', orderSize: 12 });
    expect(output).to.equal(0.15);
    expect(evaluatedDecisions).to.deep.equal([
      {
        decisionId: 'd',
        decisionName: 'The discount',
        decisionType: 'decisionTable',
        decisionOutput: 0.15,
        evaluatedInputs: [
          { inputId: 'in1', inputName: 'customer', inputValue: 'Business' },
          { inputId: 'in2', inputName: 'orderSize', inputValue: 12 },
        ],
        matchedRules: [
          {
            ruleId: 'r2',
            ruleIndex: 2,
            evaluatedOutputs: [{ outputId: 'out1', outputName: 'Output 1', outputValue: 0.15 }],
          },
        ],
      },
    ]);
  });

  it('should record values outside the allowed values without failing, as in Zeebe', async () => {
    const tableOptions = { inputValues: '"a", "b"', outputs: [{ values: '1, 2' }], rules: ['- => 3'] };
    const compiledDecision = await compileDecision(definitions(decision('d', table(tableOptions))));
    const evaluateTrail = (x: string) => evaluate(compiledDecision, { x }).evaluatedDecisions[0];
    expect(evaluateTrail('c')?.decisionOutput).to.equal(3);
    expect(evaluateTrail('c')?.evaluatedInputs[0]).to.include({ inputValue: 'c', allowed: false });
    expect(evaluateTrail('a')?.evaluatedInputs[0]).to.include({ inputValue: 'a', allowed: true });
    expect(evaluateTrail('a')?.matchedRules[0]?.evaluatedOutputs[0]).to.include({ outputValue: 3, allowed: false });
  });

  describe('declared result types', () => {
    const compileTypedTable = (typeRef: string, entry: string) =>
      compileDecision(definitions(decision('d', variable('v', typeRef) + table({ rules: [`- => ${entry}`] }))));
    const validEntries: readonly (readonly [string, string])[] = [
      ['string', '"a"'],
      ['number', '1'],
      ['boolean', 'true'],
      ['date', 'date("2024-01-01")'],
      ['time', 'time("10:00:00")'],
      ['dateTime', 'date and time("2024-01-01T10:00:00")'],
      ['dayTimeDuration', 'duration("P1D")'],
      ['yearMonthDuration', 'duration("P1Y")'],
      ['number', 'null'],
      ['Any', '[1]'],
      ['feel:number', '1'],
      ['integer', '"a"'],
    ];
    for (const [typeRef, entry] of validEntries) {
      it(`should accept ${entry} as ${typeRef}`, async () => {
        const compiledDecision = await compileTypedTable(typeRef, entry);
        expect(() => evaluate(compiledDecision)).not.to.throw();
      });
    }

    for (const [typeRef, entry, kind] of [
      ['string', '1', 'number'],
      ['date', '"2024-01-01"', 'string'],
      ['feel:boolean', '[true]', 'list'],
    ] as const) {
      it(`should fail if ${entry} is declared as ${typeRef}`, async () => {
        const failure = evaluateFailure(await compileTypedTable(typeRef, entry));
        expect(failure).to.include({ code: 'dmn_wrong_type', decisionId: 'd' });
        expect(failure.message).to.contain(`its result is a ${kind}`);
      });
    }
  });
});
