import { expect } from 'chai';
import { compileWorkflows } from './compile-workflow.js';
import { describeElements } from './describe-elements.js';
import {
  compileModel,
  definitions,
  element,
  serviceTask,
  sequentialFlow,
  model,
  findProblemCodes,
  userTask,
} from './models.spec.support.js';
import { computeWorkflowDigest } from './workflow-digest.js';

describe('compileWorkflow', () => {
  describe('processes of a file', () => {
    it('should compile nodes and their flows in document order', async () => {
      // given
      const xml = model(sequentialFlow(serviceTask('b') + serviceTask('a'), 'a', 'b'));

      // when
      const graph = await compileModel(xml);

      // then
      expect([...graph.nodes.keys()]).to.deep.equal(['start', 'b', 'a', 'end']);
      const a = graph.nodes.get('a');
      expect(a?.incoming).to.deep.equal([{ id: 'start-a', sourceId: 'start', targetId: 'a', condition: null }]);
      expect(a?.outgoing[0]).to.equal(graph.nodes.get('b')?.incoming[0]);
      expect([...graph.scopes.values()]).to.deep.equal([
        { id: 'process', parentId: null, noneStartEvents: ['start'], triggeredStartEvents: [], eventSubProcesses: [] },
      ]);
    });

    it('should return the same graph for a string and for its bytes', async () => {
      const xml = model(sequentialFlow(serviceTask('a'), 'a'));
      const serializeNodes = (graph: Awaited<ReturnType<typeof compileModel>>): string =>
        JSON.stringify([...graph.nodes]);
      expect(serializeNodes(await compileModel(xml))).to.equal(serializeNodes(await compileModel(Buffer.from(xml))));
    });

    it('should return the name, the description and the elements of a process', async () => {
      const documentation = '<bpmn:documentation>Handles orders.</bpmn:documentation>';
      const graph = await compileModel(
        model(documentation + sequentialFlow(element('task', 'a', '', documentation, 'name="A"'), 'a')),
      );
      expect(graph).to.include({
        workflowId: 'process',
        name: 'A process',
        description: 'Handles orders.',
        inputSchema: null,
      });
      expect(describeElements(graph)[1]).to.deep.equal({
        elementId: 'a',
        name: 'A',
        type: 'task',
        scopeId: 'process',
        documentation: 'Handles orders.',
      });
    });

    it('should ignore descriptive elements: pools, lanes, data objects, annotations, groups', async () => {
      // given
      const root = `<bpmn:collaboration id="c"><bpmn:participant id="us" processRef="process"/>
        <bpmn:participant id="them" name="Black box"/><bpmn:messageFlow id="mf" sourceRef="a" targetRef="them"/></bpmn:collaboration>
        <bpmn:process id="empty" isExecutable="false"/><bpmn:dataStore id="ds"/><bpmn:error id="e" errorCode="1"/>`;
      const laneSetAndArtifacts = `<bpmn:laneSet id="ls"><bpmn:lane id="l" name="People"><bpmn:flowNodeRef>a</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>
        <bpmn:dataObject id="do"/><bpmn:dataObjectReference id="dor" dataObjectRef="do"/>
        <bpmn:dataStoreReference id="dsr" dataStoreRef="ds"/>
        <bpmn:textAnnotation id="ta"><bpmn:text>note</bpmn:text></bpmn:textAnnotation><bpmn:group id="g"/>
        <bpmn:association id="as" sourceRef="a" targetRef="ta"/>`;
      const data = `<bpmn:property id="pr" name="__targetRef_placeholder"/><bpmn:dataInputAssociation id="dia">
        <bpmn:sourceRef>dor</bpmn:sourceRef><bpmn:targetRef>pr</bpmn:targetRef></bpmn:dataInputAssociation>`;

      // when
      const graph = await compileModel(
        model(sequentialFlow(element('manualTask', 'a', '', data), 'a') + laneSetAndArtifacts, root),
      );

      // then
      expect([...graph.nodes.keys()]).to.deep.equal(['start', 'a', 'end']);
    });

    it('should compile all executable processes of a file, in document order', async () => {
      // given
      const secondProcess = `<bpmn:process id="second" isExecutable="true">${sequentialFlow(userTask('b'), 'b').replaceAll('"start', '"start2').replaceAll('end"', 'end2"')}</bpmn:process>`;
      const pools = `<bpmn:collaboration id="c"><bpmn:participant id="p1" processRef="process">
        <bpmn:participantMultiplicity minimum="0" maximum="1"/></bpmn:participant>
        <bpmn:participant id="p2" processRef="second"/></bpmn:collaboration>`;
      const xml = model(sequentialFlow(serviceTask('a'), 'a'), pools).replace(
        '</bpmn:definitions>',
        `${secondProcess}</bpmn:definitions>`,
      );

      // when
      const { workflows } = await compileWorkflows(xml);

      // then
      expect(workflows.map(({ graph }) => graph.workflowId)).to.deep.equal(['process', 'second']);
      expect(workflows.map(({ graph }) => [...graph.nodes.keys()])).to.deep.equal([
        ['start', 'a', 'end'],
        ['start2', 'b', 'end2'],
      ]);
      expect(workflows.map(({ graph }) => [...graph.resultVariables])).to.deep.equal([[], ['approval']]);
      expect((await compileModel(xml)).workflowId).to.equal('process');
    });

    it('should refuse all processes of a file if one of them is invalid', async () => {
      const secondProcess = '<bpmn:process id="second" isExecutable="true"/>';
      expect(await findProblemCodes(model(sequentialFlow(serviceTask('a'), 'a'), secondProcess))).to.deep.equal([
        'second missing_start_event',
      ]);
    });

    it('should refuse pools with several participants, public processes and global tasks', async () => {
      const pool = `<bpmn:collaboration id="c"><bpmn:participant id="p1" processRef="process">
        <bpmn:participantMultiplicity minimum="0" maximum="2"/></bpmn:participant></bpmn:collaboration>`;
      expect(await findProblemCodes(model(sequentialFlow(serviceTask('a'), 'a'), pool))).to.deep.equal([
        'p1 unsupported_element',
      ]);
      const invalidPool = pool.replace('minimum="0"', 'minimum="3"');
      expect(await findProblemCodes(model(sequentialFlow(serviceTask('a'), 'a'), invalidPool))).to.deep.equal([
        'p1 invalid_multiplicity',
      ]);
      const publicProcess = model(sequentialFlow(serviceTask('a'), 'a')).replace(
        'id="process"',
        'id="process" processType="Public"',
      );
      expect(await findProblemCodes(publicProcess)).to.deep.equal(['process not_for_execution']);
      const globalTask = '<bpmn:globalTask id="g" name="G"/>';
      expect(await findProblemCodes(model(sequentialFlow(serviceTask('a'), 'a'), globalTask))).to.deep.equal([
        'g unsupported_element',
      ]);
    });

    it('should refuse files without an executable process, and non-executable processes with content', async () => {
      expect(await findProblemCodes(definitions(''))).to.deep.equal(['- no_executable_process']);
      expect(await findProblemCodes(definitions('<bpmn:process id="p"/>'))).to.deep.equal(['p no_executable_process']);
      const nonExecutableProcess = '<bpmn:process id="drawn"><bpmn:task id="x"/></bpmn:process>';
      expect(await findProblemCodes(model(sequentialFlow(serviceTask('a'), 'a'), nonExecutableProcess))).to.deep.equal([
        'drawn process_not_executable',
      ]);
    });

    it('should report the problems of all elements together', async () => {
      const xml = model(
        sequentialFlow(
          element('serviceTask', 'a') + element('callActivity', 'b') + element('scriptTask', 'c'),
          'a',
          'b',
          'c',
        ),
      );
      expect(await findProblemCodes(xml)).to.deep.equal([
        'a missing_task_definition',
        'b missing_called_element',
        'c missing_script',
      ]);
    });

    it('should compute the same digest for a string and for its bytes', () => {
      const digest = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
      expect(computeWorkflowDigest('abc')).to.equal(digest);
      expect(computeWorkflowDigest(Buffer.from('abc'))).to.equal(digest);
    });
  });
});
