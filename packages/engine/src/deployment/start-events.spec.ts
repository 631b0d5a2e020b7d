import { expect } from 'chai';
import { compileWorkflow } from '@countersign/bpmn';
import type { StartEvents } from '@countersign/core/ports';
import { isModelRefusedError } from '@countersign/model';
import { readStartEvents } from './start-events.js';

const NOW = Date.UTC(2026, 0, 1, 12);

async function compileStartEvents(elements: string, key = ''): Promise<StartEvents> {
  const definition = (kind: string, name: string): string =>
    `<bpmn:${kind} id="${name}" name="${name}">${kind === 'message' ? key : ''}</bpmn:${kind}>`;
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">
  ${definition('message', 'paid')}${definition('message', 'sent')}${definition('signal', 'open')}
  <bpmn:process id="p" isExecutable="true">${elements}<bpmn:endEvent id="end"/></bpmn:process></bpmn:definitions>`;
  return readStartEvents((await compileWorkflow(xml)).graph, NOW);
}

const KEY = '<bpmn:extensionElements><zeebe:subscription correlationKey="=key"/></bpmn:extensionElements>';
const flow = (from: string, to: string): string =>
  `<bpmn:sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}"/>`;
const message = (id: string): string => `<bpmn:messageEventDefinition messageRef="${id}"/>`;
const signal = '<bpmn:signalEventDefinition signalRef="open"/>';
const startEvent = (id: string, definitions: string, attributes = ''): string =>
  `<bpmn:startEvent id="${id}" ${attributes}>${definitions}</bpmn:startEvent>${flow(id, 'end')}`;
const timer = (property: string, text: string): string =>
  `<bpmn:timerEventDefinition><bpmn:${property} xsi:type="bpmn:tFormalExpression">${text}</bpmn:${property}></bpmn:timerEventDefinition>`;

const condition = (text: string): string =>
  `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${text}</bpmn:condition></bpmn:conditionalEventDefinition>`;

async function captureProblems(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (!isModelRefusedError(error)) throw error;
    return error.problems.map(({ elementId, code }) => `${elementId ?? '-'} ${code}`);
  }
}

describe('readStartEvents()', () => {
  it('should return the start events with each of their triggers', async () => {
    const starts = await compileStartEvents(
      startEvent('one', message('paid') + signal) +
        startEvent('two', timer('timeDuration', 'PT1H')) +
        startEvent('three', timer('timeCycle', 'R2/PT1H')),
    );
    expect(starts.subscriptions).to.deep.equal([
      { kind: 'message', elementId: 'one', trigger: 0, name: 'paid' },
      { kind: 'signal', elementId: 'one', trigger: 1, name: 'open' },
    ]);
    expect(starts.timers).to.deep.equal([
      { elementId: 'two', trigger: 0, dueAt: NOW + 3_600_000, cycle: null },
      { elementId: 'three', trigger: 0, dueAt: NOW + 3_600_000, cycle: { text: 'R2/PT1H', left: 1 } },
    ]);
  });

  it('should return instantiating receive tasks and the events after an instantiating event-based gateway', async () => {
    const catching = `<bpmn:intermediateCatchEvent id="a">${message('paid')}</bpmn:intermediateCatchEvent><bpmn:intermediateCatchEvent id="b">${signal}</bpmn:intermediateCatchEvent>`;
    const gateway = `<bpmn:eventBasedGateway id="g" instantiate="true"/>${catching}${flow('g', 'a')}${flow('g', 'b')}${flow('a', 'end')}${flow('b', 'end')}`;
    const receive = `<bpmn:receiveTask id="r" instantiate="true" messageRef="sent"/>${flow('r', 'end')}`;
    expect((await compileStartEvents(gateway + receive)).subscriptions).to.deep.equal([
      { kind: 'message', elementId: 'a', trigger: 0, name: 'paid' },
      { kind: 'signal', elementId: 'b', trigger: 0, name: 'open' },
      { kind: 'message', elementId: 'r', trigger: 0, name: 'sent' },
    ]);
  });

  it('should return conditions without evaluating them', async () => {
    const starts = await compileStartEvents(
      startEvent('low', condition('=stock &lt; 3')) +
        startEvent('any', message('paid') + condition('=unknown.part = 1')),
    );
    expect(starts.conditions).to.deep.equal([
      { elementId: 'low', trigger: 0 },
      { elementId: 'any', trigger: 1 },
    ]);
  });

  it('should refuse start events that are unsupported, duplicate or never due', async () => {
    const all = startEvent('all', message('paid') + timer('timeDuration', 'PT1H'), 'parallelMultiple="true"');
    expect(await captureProblems(compileStartEvents(all, KEY))).to.deep.equal(['all unsupported_element']);
    expect(
      await captureProblems(compileStartEvents(startEvent('x', message('paid')) + startEvent('y', message('paid')))),
    ).to.deep.equal(['y duplicate_event']);
    expect(await captureProblems(compileStartEvents(startEvent('t', timer('timeCycle', 'R0/PT1H'))))).to.deep.equal([
      't invalid_timer',
    ]);
  });
});
