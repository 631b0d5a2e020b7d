import { expect } from 'chai';
import type { RunEvent } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { getElementNames, getEventKind, describeEvent } from './describe-event.js';

// The type is a string, because a newer server may send event types that this version does not support.
const createEvent = (type: string, overrides: Partial<RunEvent> = {}): RunEvent => ({
  seq: 1,
  at: '2026-11-22T10:00:00.000Z',
  type: type as RunEvent['type'],
  version: 1,
  stepId: 's',
  elementId: 'ok',
  actor: null,
  data: {},
  erased: false,
  hash: '0'.repeat(64),
  ...overrides,
});
const names = getElementNames([
  { elementId: 'ok', name: 'Approve it' },
  { elementId: 'work', name: null },
]);

describe('describeEvent', () => {
  it('should name the actor, the action, the step and the reason', () => {
    const sentence = (type: string, overrides: Partial<RunEvent> = {}): string =>
      describeEvent(createEvent(type, overrides), names);
    expect(sentence('step.started')).to.equal('“Approve it” started.');
    expect(sentence('step.started', { elementId: 'work' })).to.equal('“work” started.');
    expect(
      sentence('run.started', { elementId: null, stepId: null, actor: 'ada', data: { workflowVersion: 3 } }),
    ).to.equal('The run was started by ada with version 3.');
    expect(
      sentence('approval.voted', { actor: 'ada', data: { decision: 'request_changes', comment: 'Name it.' } }),
    ).to.equal('ada asked for changes to “Approve it”: Name it.');
    expect(sentence('approval.voted', { data: { decision: 'approve', comment: null } })).to.equal(
      'Someone approved “Approve it”.',
    );
    expect(sentence('approval.voted', { data: { decision: 'approve', comment: 'Go.', notCounted: ['v-1'] } })).to.equal(
      'Someone approved “Approve it” (earlier votes of people who have contributed since no longer count): Go.',
    );
    expect(sentence('approval.voted', { erased: true, data: { decision: 'approve' } })).to.equal(
      '[erased] approved “Approve it”.',
    );
    expect(sentence('artifact.created', { erased: true, data: { version: 1 } })).to.equal(
      'The artifact [erased] (version 1) was stored by [erased].',
    );
    expect(sentence('personal_data.erased', { actor: 'root', data: { reason: 'Request 118' } })).to.equal(
      'Personal data was erased by root: Request 118',
    );
    expect(sentence('question.answered', { actor: 'olga', data: { answer: { team: 'payments' } } })).to.equal(
      'The question of “Approve it” was answered by olga: {"team":"payments"}',
    );
    expect(sentence('event.awaited', { data: { signalName: 'go' } })).to.equal('“Approve it” waits for the signal go.');
  });

  it('should return a sentence for every event type, even without event data, and for unknown types', () => {
    for (const type of Object.keys(texts.runEvents.sentences)) {
      const sentence = describeEvent(createEvent(type), names);
      expect(sentence, type).not.to.match(/undefined|null|\[object/);
      expect(sentence.length, type).to.be.within(8, 120);
    }
    expect(describeEvent(createEvent('moon.rose'), names)).to.equal('moon.rose (“Approve it”)');
    expect(describeEvent(createEvent('constructor'), names)).to.equal('constructor (“Approve it”)');
  });

  it('should truncate long texts', () => {
    expect(
      describeEvent(createEvent('step.failed', { data: { code: 'x', message: 'y'.repeat(10_000) } }), names).length,
    ).to.be.lessThan(400);
  });

  it('should classify events by topic', () => {
    expect(
      [
        'run.started',
        'agent.call.lost',
        'timer.fired',
        'error.caught',
        'rework.started',
        'moon.rose',
        'constructor',
      ].map((type) => getEventKind(createEvent(type))),
    ).to.deep.equal(['run', 'agent', 'wait', 'error', 'undo', 'run', 'run']);
  });
});
