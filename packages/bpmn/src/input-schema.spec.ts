import { expect } from 'chai';
import {
  compileModel,
  serviceTask,
  sequentialFlow,
  model,
  findProblems,
  properties,
  findProblemCodes,
} from './models.spec.support.js';

/** A schema with 31 definitions that expands to more than 2^30 subschemas. */
const expandingSchema = JSON.stringify({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 31 }, (_, n) => [
      `d${n}`,
      n === 30 ? {} : { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  ),
});

describe('input schema of a BPMN model', () => {
  const schemaModel = (schemaJson: string): string =>
    model(
      `<bpmn:extensionElements>${properties({ inputSchema: schemaJson })}</bpmn:extensionElements>${sequentialFlow(serviceTask('a'), 'a')}`,
    );

  it('should compile a valid JSON schema', async () => {
    const graph = await compileModel(
      schemaModel('{"type":"object","properties":{"x":{"$ref":"#/$defs/y"}},"$defs":{"y":{"type":"string"}}}'),
    );
    expect(graph.inputSchema).to.have.property('type', 'object');
  });

  for (const schemaJson of [
    'nonsense',
    '[]',
    '{"__proto__":{}}',
    '{"type":"strng"}',
    '{"required":"x"}',
    '{"properties":[]}',
    '{"allOf":{}}',
    '{"items":"x"}',
    '{"pattern":"("}',
    '{"$ref":"http://example.org"}',
    '{"$ref":"#/missing"}',
    '{"$ref":"#"}',
    '{"properties":{"a":{"allOf":[{"$ref":"#/properties/a"}]}}}',
    expandingSchema,
    `${'{"not":'.repeat(100)}{}${'}'.repeat(100)}`,
  ]) {
    it(`should refuse the schema ${schemaJson.slice(0, 60)}`, async () => {
      expect(await findProblemCodes(schemaModel(schemaJson))).to.deep.equal(['process invalid_input_schema']);
    });
  }

  it('should explain how to fix a limit that cannot be represented exactly', async () => {
    const [problem] = await findProblems(
      schemaModel('{"properties":{"id":{"type":"integer","maximum":9223372036854775807}}}'),
    );
    expect(problem?.message).to.equal(
      'Property "inputSchema": At "/properties/id/maximum": The number 9223372036854775807 is beyond 9007199254740991, up to which every whole number is exact. Leave it out, or describe the value as a string.',
    );
  });

  it('should accept a schema that refers to itself through its properties', async () => {
    const graph = await compileModel(schemaModel('{"properties":{"next":{"$ref":"#"}}}'));
    expect(graph.inputSchema).to.have.property('properties');
  });
});
