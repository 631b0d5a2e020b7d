import { expect } from 'chai';
import type { JsonObject } from '@countersign/model';
import { findInputErrors } from './find-input-errors.js';
import { seconds, waitUntil } from '@countersign/model/testing';

let workflowCount = 0;
const listErrors = async (inputSchema: JsonObject | null, inputs: JsonObject): Promise<unknown> =>
  (await findInputErrors({ digest: `sha256:${(workflowCount += 1)}`, inputSchema }, inputs))?.map(
    ({ pointer, code }) => [pointer, code],
  );

describe('findInputErrors()', () => {
  it('should accept any storable inputs when the workflow declares no schema', async () => {
    expect(await listErrors(null, { a: [1, { b: null }] })).to.equal(undefined);
    expect(await listErrors(null, { a: ['\0'] })).to.deep.equal([['/inputs/a/0', 'unstorable_text']]);
    expect(await listErrors(null, JSON.parse('{"a":{"__proto__":1}}') as JsonObject)).to.deep.equal([
      ['/inputs/a/__proto__', 'polluting_key'],
    ]);
  });

  it('should report the location of each error, but not its parent locations', async () => {
    const schema = {
      type: 'object',
      required: ['amount'],
      additionalProperties: false,
      properties: { 'amount': { type: 'integer', minimum: 1 }, 'a/b': { $ref: '#/$defs/list' } },
      $defs: { list: { type: 'array', items: { type: 'string', maxLength: 2 } } },
    };
    expect(await listErrors(schema, { amount: 1 })).to.equal(undefined);
    expect(await listErrors(schema, {})).to.deep.equal([['/inputs', 'required']]);
    expect(await listErrors(schema, { 'amount': 0, 'a/b': ['ok', 'long'] })).to.deep.equal([
      ['/inputs/amount', 'minimum'],
      ['/inputs/a~1b/1', 'max_length'],
    ]);
    expect(await listErrors(schema, { amount: 1, other: true })).to.deep.include.members([
      ['/inputs', 'additional_properties'],
    ]);
  });

  const nestedAnyOf = (last: number): JsonObject =>
    Object.fromEntries(
      Array.from({ length: last + 1 }, (_, n): [string, JsonObject] => [
        `d${n}`,
        n === last ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
  const costlyCases: Record<string, [JsonObject, JsonObject]> = {
    'a backtracking pattern': [{ properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50)}!` }],
    'a backtracking pattern for names': [{ patternProperties: { '^(a+)+$': true } }, { [`${'a'.repeat(50)}!`]: 1 }],
    'many items that must be unique': [
      { properties: { a: { uniqueItems: true } } },
      { a: Array.from({ length: 100_000 }, (_, n) => n) },
    ],
    'an exponential schema': [{ properties: { a: { $ref: '#/$defs/d0' } }, $defs: nestedAnyOf(40) }, { a: 1 }],
  };
  it('should refuse inputs as too costly to check when the schema references itself endlessly', async () => {
    expect(
      await listErrors({ $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } }, { a: 1 }),
    ).to.deep.equal([['/inputs', 'too_costly']]);
  });

  for (const [description, [schema, inputs]] of Object.entries(costlyCases)) {
    it(`should stop the check of ${description} in time, without blocking the event loop`, async () => {
      const startedAt = performance.now();
      const utilizationBefore = performance.eventLoopUtilization();
      expect(await listErrors(schema, inputs)).to.deep.equal([['/inputs', 'too_costly']]);
      expect(performance.now() - startedAt).to.be.lessThan(seconds(10));
      // Nearly 1 if the check blocks this thread; small if this thread waits, even on a busy machine.
      expect(performance.eventLoopUtilization(utilizationBefore).utilization).to.be.lessThan(0.8);
    });
  }

  it('should spend less time on a schema that was too costly several times, and still accept valid inputs', async () => {
    const inputSchema = { properties: { a: { pattern: '^(a+)+$' } } };
    const workflow = { digest: 'sha256:suspect', inputSchema };
    const costlyInputs = { a: `${'a'.repeat(50)}!` };
    for (let n = 0; n < 4; n += 1) await findInputErrors(workflow, costlyInputs);
    let shortestMs = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 10; n += 1) {
      const startedAt = performance.now();
      await findInputErrors(workflow, costlyInputs);
      shortestMs = Math.min(shortestMs, performance.now() - startedAt);
    }
    // Checks are stopped within a second only if the schema is suspect. The shortest of ten checks is compared, because
    // load on the machine delays some of them.
    expect(shortestMs).to.be.lessThan(1_000);
    await waitUntil(
      'valid inputs are accepted',
      async () => (await findInputErrors(workflow, { a: 'aaa' })) === undefined,
    );
  });

  it('should report at most 50 errors', async () => {
    const fieldErrors = await findInputErrors(
      { digest: 'sha256:many', inputSchema: { properties: { a: { items: { type: 'string' } } } } },
      { a: Array.from({ length: 300_000 }, () => 1) },
    );
    expect(fieldErrors?.length).to.be.within(1, 50);
  });
});
