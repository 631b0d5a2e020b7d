import { expect } from 'chai';
import { getElementFacts } from './element-facts.js';
import { readModel } from './read-model.js';

const processXml = (schema: string): string =>
  `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="x"><bpmn:process id="order" name="Order" isExecutable="true"><bpmn:extensionElements><zeebe:properties><zeebe:property name="inputSchema" value="${schema}" /><zeebe:property name="risk.level" value="high" /></zeebe:properties></bpmn:extensionElements></bpmn:process></bpmn:definitions>`;

describe('getElementFacts', () => {
  async function readFacts(schema: string): Promise<ReturnType<typeof getElementFacts>> {
    const element = (await readModel(processXml(schema))).elements.get('order');
    if (element === undefined) throw new Error('The BPMN model has no process.');
    return getElementFacts(element);
  }

  it('should return the input schema separately from the other facts', async () => {
    const { facts, inputSchema } = await readFacts('{&quot;type&quot;: &quot;object&quot;}');
    expect(inputSchema).to.deep.equal({ type: 'object' });
    expect(facts.map(([, value]) => value)).to.have.members(['high']);
    expect(facts.filter(([path]) => path === '')).to.deep.equal([]);
  });

  it('should keep an input schema that is not valid JSON in the list of facts', async () => {
    const { facts, inputSchema } = await readFacts('{oops');
    expect(inputSchema).to.equal(undefined);
    expect(facts.map(([, value]) => value)).to.include('{oops');
  });
});
