import { expect } from 'chai';
import { compareModels } from './compare-models.js';
import { readModel } from './read-model.js';

const model = (
  elements: string,
  shapes = '',
) => `<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="urn:x">
<bpmn:process id="p" isExecutable="true">${elements}</bpmn:process>
<bpmndi:BPMNDiagram id="di"><bpmndi:BPMNPlane id="plane" bpmnElement="p">${shapes}</bpmndi:BPMNPlane></bpmndi:BPMNDiagram></bpmn:definitions>`;
const task = (id: string, extensions = '', attributes = '') =>
  `<bpmn:serviceTask id="${id}" ${attributes}><bpmn:extensionElements>${extensions}</bpmn:extensionElements></bpmn:serviceTask>`;
const job = (type: string) => `<zeebe:taskDefinition type="${type}" retries="3" />`;
const shape = (id: string, x: number) =>
  `<bpmndi:BPMNShape id="${id}-di" bpmnElement="${id}"><dc:Bounds x="${x}" y="0" width="100" height="80" /></bpmndi:BPMNShape>`;

describe('comparison of two workflow versions', () => {
  it('should report added, removed, changed and moved elements', async () => {
    // given
    const before = model(
      task('moved', job('a')) + task('removed', job('b')) + task('changed', job('c')),
      shape('moved', 0) + shape('removed', 200) + shape('changed', 400),
    );
    const after = model(
      task('moved', job('a')) + task('changed', job('d'), 'name="Other"') + task('added', job('e')),
      shape('moved', 50) + shape('changed', 400) + shape('added', 600),
    );

    // when
    const changes = await compareModels(before, after);

    // then
    expect(changes.map(({ elementId, kind, attributes }) => ({ elementId, kind, attributes }))).to.deep.equal([
      { elementId: 'added', kind: 'added', attributes: [] },
      { elementId: 'removed', kind: 'removed', attributes: [] },
      {
        elementId: 'changed',
        kind: 'changed',
        attributes: [
          { path: 'taskDefinition.type', from: 'c', to: 'd' },
          { path: 'name', from: undefined, to: 'Other' },
        ],
      },
      { elementId: 'moved', kind: 'moved', attributes: [] },
    ]);
  });

  it('should report changed extensions, conditions, event definitions and documentation', async () => {
    const mapping = (source: string) =>
      `<zeebe:ioMapping><zeebe:input source="${source}" target="sum" /><zeebe:input source="=b" target="other" /></zeebe:ioMapping>`;
    const flow = (condition: string) =>
      `<bpmn:sequenceFlow id="f" sourceRef="t" targetRef="e"><bpmn:conditionExpression>${condition}</bpmn:conditionExpression></bpmn:sequenceFlow>`;
    const end = (definition: string) => `<bpmn:endEvent id="e">${definition}</bpmn:endEvent>`;
    const fullModel = (source: string, condition: string, definition: string, text: string) =>
      model(
        `<bpmn:documentation>${text}</bpmn:documentation>${task('t', mapping(source))}${flow(condition)}${end(definition)}`,
      );

    const changes = await compareModels(
      fullModel('=a', '=x &gt; 1', '', 'One'),
      fullModel('=a * 2', '=x &gt; 2', '<bpmn:terminateEventDefinition id="x" />', 'Two'),
    );

    const attributesById = Object.fromEntries(changes.map(({ elementId, attributes }) => [elementId, attributes]));
    expect(attributesById['p']).to.deep.equal([{ path: 'documentation', from: 'One', to: 'Two' }]);
    expect(attributesById['t']).to.deep.equal([
      { path: 'ioMapping.input[target=sum].source', from: '=a', to: '=a * 2' },
    ]);
    expect(attributesById['f']).to.deep.equal([{ path: 'conditionExpression.body', from: '=x > 1', to: '=x > 2' }]);
    expect(attributesById['e']?.[0]).to.deep.equal({
      path: 'TerminateEventDefinition',
      from: undefined,
      to: 'terminateEventDefinition',
    });
  });

  it('should report no changes between equal models and ignore shapes without an element', async () => {
    const xml = model(task('t', job('a')), shape('t', 0) + shape('nobody', 100));

    expect(await compareModels(xml, xml)).to.deep.equal([]);
    expect(await compareModels(xml, model(task('t', job('a')), shape('t', 0)))).to.deep.equal([]);
  });

  it('should report whether a BPMN model has a diagram, and refuse other files', async () => {
    expect((await readModel(model(''))).hasLayout).to.equal(true);
    expect(
      (await readModel('<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" />'))
        .hasLayout,
    ).to.equal(false);
    expect(await readModel('<html />').catch((error: Error) => error.message)).to.be.a('string');
  });
});
