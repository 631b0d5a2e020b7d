import { expect } from 'chai';
import type { RunEvent } from '@countersign/contract';
import { texts } from '../../texts/index.js';
import { elementNames, kindOf, sentenceOf } from './event-sentences.js';

// A later server may send event types that this version does not know.
const event = (type: string, more: Partial<RunEvent> = {}): RunEvent => ({
  seq: 1,
  at: '2026-11-22T10:00:00.000Z',
  type: type as RunEvent['type'],
  stepId: 's',
  elementId: 'ok',
  actor: null,
  data: {},
  erased: false,
  hash: '0'.repeat(64),
  ...more,
});
const names = elementNames([
  { elementId: 'ok', name: 'Approve it' },
  { elementId: 'work', name: null },
]);

describe('sentences of run events', () => {
  it('should name the actor, the action, the step and the reason', () => {
    const said = (type: string, more: Partial<RunEvent> = {}): string => sentenceOf(event(type, more), names);
    expect(said('step.started')).to.equal('“Approve it” started.');
    expect(said('step.started', { elementId: 'work' })).to.equal('“work” started.');
    expect(said('run.started', { elementId: null, stepId: null, actor: 'ada', data: { workflowVersion: 3 } })).to.equal(
      'The run was started by ada with version 3.',
    );
    expect(
      said('approval.voted', { actor: 'ada', data: { decision: 'request_changes', comment: 'Name it.' } }),
    ).to.equal('ada asked for changes of “Approve it”: Name it.');
    expect(said('approval.voted', { data: { decision: 'approve', comment: null } })).to.equal(
      'Someone approved “Approve it”.',
    );
    expect(said('approval.voted', { data: { decision: 'approve', comment: 'Go.', notCounted: ['v-1'] } })).to.equal(
      'Someone approved “Approve it” (earlier votes of people who have contributed since no longer count): Go.',
    );
    expect(said('approval.voted', { erased: true, data: { decision: 'approve' } })).to.equal(
      '[erased] approved “Approve it”.',
    );
    expect(said('artifact.created', { erased: true, data: { version: 1 } })).to.equal(
      'The artifact [erased] (version 1) was stored by [erased].',
    );
    expect(said('personal_data.erased', { actor: 'root', data: { reason: 'Request 118' } })).to.equal(
      'Personal data was erased by root: Request 118',
    );
    expect(said('question.answered', { actor: 'olga', data: { answer: { team: 'payments' } } })).to.equal(
      'The question of “Approve it” was answered by olga: {"team":"payments"}',
    );
    expect(said('event.awaited', { data: { signalName: 'go' } })).to.equal('“Approve it” waits for the signal go.');
  });

  it('should exist for every event type without its erased data, and for unknown types', () => {
    for (const type of Object.keys(texts.runEvents.sentences)) {
      const said = sentenceOf(event(type), names);
      expect(said, type).not.to.match(/undefined|null|\[object/);
      expect(said.length, type).to.be.within(8, 120);
    }
    expect(sentenceOf(event('moon.rose'), names)).to.equal('moon.rose (“Approve it”)');
    expect(sentenceOf(event('constructor'), names)).to.equal('constructor (“Approve it”)');
  });

  it('should truncate long texts', () => {
    expect(
      sentenceOf(event('step.failed', { data: { code: 'x', message: 'y'.repeat(10_000) } }), names).length,
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
      ].map((type) => kindOf(event(type))),
    ).to.deep.equal(['run', 'agent', 'wait', 'error', 'undo', 'run', 'run']);
  });
});
