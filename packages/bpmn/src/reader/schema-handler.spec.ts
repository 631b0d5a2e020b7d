import { expect } from 'chai';
import { compileWorkflows } from '../compile-workflow.js';
import {
  compileModel,
  definitions,
  element,
  serviceTask,
  sequentialFlow,
  MESSAGE,
  model,
  requireNode,
  findProblemCodes,
} from '../models.spec.support.js';

/** Returns a BPMN file whose target namespace has the prefix `tns`. */
function qualifiedModel(content: string): string {
  return model(content, MESSAGE).replace(
    'id="definitions"',
    'xmlns:tns="http://example.org" xmlns:other="http://other" id="definitions"',
  );
}

const PREFIXED_CONTENT =
  '<bpmn:startEvent id="start"><bpmn:outgoing>tns:f1</bpmn:outgoing></bpmn:startEvent>' +
  '<bpmn:intermediateCatchEvent id="c"><bpmn:incoming>tns:f1</bpmn:incoming><bpmn:outgoing>tns:f2</bpmn:outgoing>' +
  '<bpmn:messageEventDefinition messageRef="tns:m"/></bpmn:intermediateCatchEvent>' +
  '<bpmn:userTask id="u"><bpmn:incoming>tns:f2</bpmn:incoming><bpmn:outgoing>tns:f3</bpmn:outgoing></bpmn:userTask>' +
  '<bpmn:boundaryEvent id="b" attachedToRef="tns:u"><bpmn:messageEventDefinition messageRef="tns:m"/></bpmn:boundaryEvent>' +
  '<bpmn:endEvent id="end"><bpmn:incoming>tns:f3</bpmn:incoming></bpmn:endEvent>' +
  '<bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="c"/><bpmn:sequenceFlow id="f2" sourceRef="c" targetRef="u"/>' +
  '<bpmn:sequenceFlow id="f3" sourceRef="u" targetRef="end"/><bpmn:sequenceFlow id="f4" sourceRef="b" targetRef="end"/>';

describe('XML Schema values of a BPMN model', () => {
  it('should ignore white space around ids and references', async () => {
    // given
    const flows =
      '<bpmn:sequenceFlow id=" f1 " sourceRef="&#10;start&#9;" targetRef=" pay "/>' +
      '<bpmn:sequenceFlow id="f2" sourceRef="pay" targetRef="end"/>';
    const nodes =
      '<bpmn:laneSet id="set"><bpmn:lane id="lane" name="finance"><bpmn:flowNodeRef>\n  pay\n</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>' +
      '<bpmn:startEvent id="start"><bpmn:outgoing> f1 </bpmn:outgoing></bpmn:startEvent>' +
      '<bpmn:userTask id=" pay "><bpmn:incoming>\n f1\n</bpmn:incoming></bpmn:userTask><bpmn:endEvent id="end"/>';

    // when
    const graph = await compileModel(model(nodes + flows).replace('id="process"', 'id="&#10; process "'));

    // then
    expect(graph.workflowId).to.equal('process');
    expect([...graph.nodes.keys()]).to.deep.equal(['start', 'pay', 'end']);
    const payTask = graph.nodes.get('pay');
    expect(payTask?.kind === 'userTask' && payTask.approval.candidateGroups).to.deep.equal({ literal: 'finance' });
    expect(payTask?.incoming.map(({ id }) => id)).to.deep.equal(['f1']);
  });

  it('should resolve prefixes with the namespaces of the referring element only', async () => {
    const flows =
      '<bpmn:sequenceFlow id="f" sourceRef="start" targetRef="a"/><bpmn:sequenceFlow id="g" sourceRef="a" targetRef="end"/>';
    const task = (content: string): string =>
      `<bpmn:startEvent id="start"><bpmn:outgoing>f</bpmn:outgoing></bpmn:startEvent><bpmn:manualTask id="a">${content}</bpmn:manualTask><bpmn:endEvent id="end"/>${flows}`;
    const prefixedIncoming = '<bpmn:incoming xmlns:own="http://example.org">own:f</bpmn:incoming>';
    const otherNamespaceIncoming =
      '<bpmn:extensionElements xmlns:tns="http://other"/><bpmn:incoming>tns:f</bpmn:incoming>';
    for (const content of [prefixedIncoming, otherNamespaceIncoming])
      expect((await compileModel(qualifiedModel(task(content)))).nodes.get('a')?.incoming, content).to.have.length(1);
    const undeclaredPrefixIncoming =
      '<bpmn:extensionElements xmlns:own="http://example.org"/><bpmn:incoming>own:f</bpmn:incoming>';
    expect(await findProblemCodes(qualifiedModel(task(undeclaredPrefixIncoming)))).to.include('a unresolved_reference');
    const modelWithSpaces = qualifiedModel(task(otherNamespaceIncoming)).replace(
      'targetNamespace="http://example.org"',
      'targetNamespace=" http://example.org&#10;"',
    );
    expect((await compileModel(modelWithSpaces)).nodes.has('a')).to.equal(true);
  });

  it('should accept unresolved references to other files if they are not executed', async () => {
    const root =
      '<bpmn:extension mustUnderstand="false" definition="model"/><bpmn:interface id="i" name="i"><bpmn:operation id="o" name="o">' +
      '<bpmn:inMessageRef>other:m</bpmn:inMessageRef></bpmn:operation></bpmn:interface>';
    const data = '<bpmn:dataObject id="d" itemSubjectRef="other:string"/>';
    expect(
      (await compileModel(qualifiedModel(data + sequentialFlow('')).replace('<bpmn:message', `${root}<bpmn:message`)))
        .nodes.size,
    ).to.equal(2);
    const missing = qualifiedModel('<bpmn:dataObject id="d" itemSubjectRef="missing"/>' + sequentialFlow(''));
    expect(await findProblemCodes(missing)).to.include('d unresolved_reference');
  });

  it('should refuse invalid integers', async () => {
    const modelWithLoop = (maximum: string): string =>
      model(
        sequentialFlow(
          element(
            'serviceTask',
            'a',
            '<zeebe:taskDefinition type="x"/>',
            `<bpmn:standardLoopCharacteristics loopMaximum="${maximum}"/>`,
          ),
          'a',
        ),
      );
    const jobTask = await requireNode(modelWithLoop(' +3 '), 'a', 'jobTask');
    expect(jobTask.loop?.kind === 'standard' && jobTask.loop.maximum).to.deep.equal({ literal: '3' });
    for (const value of ['3 apples', '1e3', '2.5', ''])
      expect(await findProblemCodes(modelWithLoop(value)), value).to.include('a invalid_integer');
  });

  it('should ignore invalid booleans in diagrams and in deployed BPMN models', async () => {
    const diagram =
      '<bpmndi:BPMNDiagram xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI"><bpmndi:BPMNPlane bpmnElement="process">' +
      '<bpmndi:BPMNShape id="shape" bpmnElement=" a " isExpanded="False"/></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>';
    const modelWithShape = model(sequentialFlow(serviceTask('a'), 'a')).replace(
      '</bpmn:definitions>',
      `${diagram}</bpmn:definitions>`,
    );
    expect((await compileModel(modelWithShape)).nodes.has('a')).to.equal(true);
    const modelWithInvalidBoolean = model(
      sequentialFlow(
        element('serviceTask', 'a', '<zeebe:taskDefinition type="x"/>', '', 'isForCompensation="FALSE"'),
        'a',
      ),
    );
    expect(await findProblemCodes(modelWithInvalidBoolean)).to.deep.equal(['a invalid_boolean']);
    expect((await compileWorkflows(modelWithInvalidBoolean, { isDeployed: true })).workflows).to.have.length(1);
  });

  it('should refuse ids that differ only in white space', async () => {
    expect(await findProblemCodes(model(sequentialFlow(serviceTask('a') + serviceTask(' a '), 'a')))).to.include(
      'a duplicate_id',
    );
    expect(await findProblemCodes(model(sequentialFlow(serviceTask('a b'), 'a b')))).to.include('a b invalid_id');
  });

  it('should resolve references with a prefix of the target namespace', async () => {
    const graph = await compileModel(qualifiedModel(PREFIXED_CONTENT));
    expect([...graph.nodes.keys()]).to.deep.equal(['start', 'c', 'u', 'b', 'end']);
    expect(graph.nodes.get('u')?.boundaryEvents).to.deep.equal(['b']);
    expect(graph.nodes.get('u')?.incoming.map(({ id }) => id)).to.deep.equal(['f2']);
  });

  it('should refuse references into other namespaces or with undeclared prefixes', async () => {
    for (const prefix of ['other', 'bpmn', 'unknown']) {
      const xml = qualifiedModel(
        PREFIXED_CONTENT.replace('messageRef="tns:m"/></bpmn:inter', `messageRef="${prefix}:m"/></bpmn:inter`),
      );
      expect(await findProblemCodes(xml), prefix).to.include('c unresolved_reference');
    }
  });

  it('should accept white space in expression types, and prefixes declared on inner elements', async () => {
    const timer =
      '<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type=" bpmn:tFormalExpression ">PT1S</bpmn:timeDuration></bpmn:timerEventDefinition>';
    const graph = await compileModel(model(sequentialFlow(element('intermediateCatchEvent', 'a', '', timer), 'a')));
    expect(graph.nodes.get('a')?.kind).to.equal('catch');
    const catchEventWithOwnPrefix =
      '<bpmn:intermediateCatchEvent id="a"><bpmn:messageEventDefinition xmlns:own="http://example.org" messageRef="own:m"/></bpmn:intermediateCatchEvent>';
    expect((await compileModel(model(sequentialFlow(catchEventWithOwnPrefix, 'a'), MESSAGE))).nodes.has('a')).to.equal(
      true,
    );
  });

  it('should accept every form of a boolean in XML Schema, and refuse other values', async () => {
    const modelWithBoundaryEvent = (value: string): string =>
      model(
        sequentialFlow(serviceTask('a'), 'a') +
          `<bpmn:boundaryEvent id="b" attachedToRef="a" cancelActivity="${value}"><bpmn:messageEventDefinition messageRef="m"/></bpmn:boundaryEvent>` +
          '<bpmn:sequenceFlow id="f" sourceRef="b" targetRef="end"/>',
        MESSAGE,
      );
    for (const [value, interrupting] of [
      ['true', true],
      [' 1 ', true],
      ['&#10;false', false],
      ['0', false],
    ] as const)
      expect((await requireNode(modelWithBoundaryEvent(value), 'b', 'boundaryEvent')).interrupting, value).to.equal(
        interrupting,
      );
    for (const value of ['', 'yes', 'TRUE', '2', 'true false'])
      expect(await findProblemCodes(modelWithBoundaryEvent(value)), value).to.deep.equal(['b invalid_boolean']);
    const executableModel = model(sequentialFlow('', ...[])).replace('isExecutable="true"', 'isExecutable=" 1 "');
    expect((await compileModel(executableModel)).workflowId).to.equal('process');
  });

  it('should accept ids in any script that XML allows, and refuse other ids', async () => {
    for (const id of ['prüfung', 'δοκιμή', '审批', 'اعتماد', 'अनुमोदन', 'x·1', '_a-b.c', '\u{20000}', '😀']) {
      const graph = await compileModel(model(sequentialFlow(serviceTask(id), id)));
      expect(graph.nodes.has(id), id).to.equal(true);
    }
    for (const id of ['1a', '-a', 'a/b', 'a&#8232;b', '·a', 'a b', 'a$'])
      expect((await findProblemCodes(model(sequentialFlow(serviceTask(id), id)))).join(), id).to.match(
        /invalid_id|malformed_xml/,
      );
    for (const id of ['constructor', '&#99;onstructor', '__proto__'])
      expect((await findProblemCodes(model(sequentialFlow(serviceTask(id), id)))).join(), id).to.match(
        /reserved_id|invalid_id/,
      );
  });

  it('should ignore empty references', async () => {
    const task =
      '<bpmn:serviceTask id="a" default=""><bpmn:extensionElements><zeebe:taskDefinition type="x"/></bpmn:extensionElements>' +
      '<bpmn:incoming/><bpmn:outgoing></bpmn:outgoing><bpmn:incoming> </bpmn:incoming></bpmn:serviceTask>';
    const graph = await compileModel(model(sequentialFlow(task, 'a')));
    expect(graph.nodes.get('a')?.incoming.map(({ id }) => id)).to.deep.equal(['start-a']);
    expect(graph.nodes.get('a')?.defaultFlow).to.equal(null);
    const lanes =
      '<bpmn:laneSet id="set"><bpmn:lane id="lane" name="x"><bpmn:flowNodeRef/><bpmn:flowNodeRef>a</bpmn:flowNodeRef><bpmn:flowNodeRef/></bpmn:lane></bpmn:laneSet>';
    const taskInLane = await requireNode(model(lanes + sequentialFlow(element('userTask', 'a'), 'a')), 'a', 'userTask');
    expect(taskInLane.approval.candidateGroups).to.deep.equal({ literal: 'x' });
  });

  it('should accept empty elements that declare nothing', async () => {
    const emptyElements = [
      '<bpmn:ioSpecification id="io"><bpmn:inputSet id="is" name="Inputs"/><bpmn:outputSet/></bpmn:ioSpecification>',
      '<bpmn:auditing/>',
      '<bpmn:monitoring id="mo"/>',
      '<bpmn:property/>',
      '<bpmn:dataInputAssociation/>',
      '<bpmn:potentialOwner id="po"/>',
      '<bpmn:documentation/>',
      '<bpmn:ioSpecification xmlns="http://other"><bpmn:inputSet/><bpmn:outputSet/></bpmn:ioSpecification>',
      '<bpmn:dataInputAssociation><bpmn:targetRef/><bpmn:transformation/><bpmn:assignment/></bpmn:dataInputAssociation>',
      '<bpmn:standardLoopCharacteristics loopMaximum="2"><bpmn:loopCondition/></bpmn:standardLoopCharacteristics>',
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality xsi:type="bpmn:tFormalExpression">2</bpmn:loopCardinality><bpmn:completionCondition/></bpmn:multiInstanceLoopCharacteristics>',
    ];
    for (const content of emptyElements) {
      const graph = await compileModel(model(sequentialFlow(element('userTask', 'a', '', content), 'a')));
      expect(graph.nodes.has('a'), content).to.equal(true);
    }
    for (const extension of [
      '<zeebe:executionListeners/>',
      '<zeebe:linkedResources></zeebe:linkedResources>',
      '<zeebe:properties/>',
    ])
      expect(
        (await compileModel(model(sequentialFlow(serviceTask('a', 'x', extension), 'a')))).nodes.has('a'),
        extension,
      ).to.equal(true);
    const modelWithEmptyCondition = model(
      sequentialFlow(serviceTask('a'), 'a').replace(
        'sourceRef="a" targetRef="end">',
        '$&<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression"/>',
      ),
    );
    expect((await compileModel(modelWithEmptyCondition)).nodes.get('a')?.outgoing[0]?.condition).to.equal(null);
    const timer =
      '<bpmn:timerEventDefinition><bpmn:timeDate xsi:type="bpmn:tFormalExpression"/><bpmn:timeCycle><![CDATA[ ]]></bpmn:timeCycle>' +
      '<bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1S</bpmn:timeDuration></bpmn:timerEventDefinition>';
    const catchEvent = await requireNode(
      model(sequentialFlow(element('intermediateCatchEvent', 'a', '', timer), 'a')),
      'a',
      'catch',
    );
    expect(catchEvent.triggers).to.have.length(1);
    expect(
      (
        await compileModel(
          definitions(`<bpmn:extension/><bpmn:process id="p" isExecutable="true">${sequentialFlow('')}</bpmn:process>`),
        )
      ).workflowId,
    ).to.equal('p');
  });
});
