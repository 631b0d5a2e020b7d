import type { ChangeMessage } from '@countersign/contract';
import { expect } from 'chai';
import { ManualClock } from './clock.spec.support.js';
import {
  createApproval,
  InMemoryInboxClient,
  createChange,
  createProblem,
  createQuestion,
  createQuestionChange,
  SERVER,
  waitForResponses,
} from './waiting-items-monitor.spec.support.js';
import { WaitingItemsWatch } from './waiting-items-watch.js';
import { getItemId } from './waiting-item.js';

describe('WaitingItemsWatch', () => {
  let clock: ManualClock;
  let client: InMemoryInboxClient;
  let watch: WaitingItemsWatch;
  let updates: number;

  const createWatch = (listsQuestions: boolean): WaitingItemsWatch =>
    new WaitingItemsWatch({ serverId: SERVER, client, clock, listsQuestions, onUpdate: () => (updates += 1) });

  beforeEach(() => {
    clock = new ManualClock();
    client = new InMemoryInboxClient(createApproval('one'), createApproval('two'));
    updates = 0;
    watch = createWatch(false);
  });

  const advanceAndWait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await waitForResponses();
  };
  const listIds = (): string[] => watch.items.map(getItemId);

  it('should be ready with all waiting approvals after the list is loaded', async () => {
    expect({ ready: watch.isReady, ids: listIds() }).to.deep.equal({ ready: false, ids: [] });
    watch.refresh();
    await advanceAndWait(0);
    expect({ ready: watch.isReady, complete: watch.isComplete, ids: listIds(), updates }).to.deep.equal({
      ready: true,
      complete: true,
      ids: ['one', 'two'],
      updates: 1,
    });
  });

  it('should load the changed approvals with one request and ignore other changes', async () => {
    // given
    watch.refresh();
    await advanceAndWait(0);
    client.requests.length = 0;
    client.byId.set('three', createApproval('three'));
    client.byId.set('one', createApproval('one', { status: 'approved' }));
    client.byId.delete('two');
    // when
    for (const id of ['three', 'three', 'one', 'two']) watch.onChange(createChange(id));
    watch.onChange({
      id: '2',
      type: 'change',
      change: { type: 'step.completed', data: { approvalId: 'four' } },
    } as unknown as ChangeMessage);
    await advanceAndWait(1_000);
    // then
    expect(listIds()).to.deep.equal(['three']);
    expect(client.requests).to.deep.equal(['three,one,two']);
  });

  it('should remove an approval that the person can no longer decide', async () => {
    watch.refresh();
    await advanceAndWait(0);
    client.byId.set('one', createApproval('one', { canDecide: { allowed: false, reasons: ['already_voted'] } }));
    watch.onChange(createChange('one', 'approval.voted'));
    await advanceAndWait(1_000);
    expect(listIds()).to.deep.equal(['two']);
  });

  it('should reload the list after many changes in one batch or after a reset of the feed', async () => {
    watch.refresh();
    await advanceAndWait(0);
    client.requests.length = 0;
    for (let n = 0; n <= 50; n += 1) watch.onChange(createChange(`new-${n}`));
    await advanceAndWait(1_000);
    expect(client.requests).to.deep.equal(['list']);
    watch.onChange({ id: '9', type: 'reset' } as unknown as ChangeMessage);
    await advanceAndWait(1_000);
    expect(client.requests).to.deep.equal(['list', 'list']);
  });

  it('should load a changed approval again after the first attempt failed', async () => {
    // given
    watch.refresh();
    await advanceAndWait(0);
    client.isFailing = true;
    client.byId.set('three', createApproval('three'));
    watch.onChange(createChange('three'));
    await advanceAndWait(1_000);
    expect(listIds()).to.deep.equal(['one', 'two']);
    // when
    client.isFailing = false;
    await advanceAndWait(10_000);
    // then
    expect(listIds()).to.deep.equal(['one', 'two', 'three']);
  });

  it('should stop loading after 1,000 approvals and report the list as incomplete', async () => {
    for (let n = 0; n < 1_500; n += 1) client.byId.set(`many-${n}`, createApproval(`many-${n}`));
    watch.refresh();
    await advanceAndWait(0);
    expect({ complete: watch.isComplete, count: watch.items.length }).to.deep.equal({ complete: false, count: 1_000 });
  });

  it('should stop loading pages when it is closed during the load', async () => {
    for (let n = 0; n < 900; n += 1) client.byId.set(`many-${n}`, createApproval(`many-${n}`));
    watch.refresh();
    clock.advance(0);
    watch.close();
    await waitForResponses();
    expect(client.requests).to.deep.equal(['list']);
  });

  it('should send no requests after close()', async () => {
    watch.refresh();
    watch.close();
    watch.onChange(createChange('one'));
    await advanceAndWait(60_000);
    expect({ requests: client.requests, updates }).to.deep.equal({ requests: [], updates: 0 });
  });

  describe('with questions', () => {
    beforeEach(() => {
      client.questionsById.set('ask', createQuestion('ask'));
      watch = createWatch(true);
    });

    /** Loads the lists and forgets the requests. */
    const start = async (): Promise<void> => {
      watch.refresh();
      await advanceAndWait(0);
      client.requests.length = 0;
    };
    const readState = (): object => ({ ready: watch.isReady, complete: watch.isComplete, ids: listIds() });

    it('should be ready when both lists are loaded, one after the other, in pages', async () => {
      for (let n = 0; n < 200; n += 1) client.questionsById.set(`many-${n}`, createQuestion(`many-${n}`));
      watch.refresh();
      await advanceAndWait(0);
      expect(watch).to.deep.include({ isReady: true, isComplete: true });
      expect(watch.items).to.have.length(203);
      expect(client.requests).to.deep.equal(['list', 'questions', 'questions']);
    });

    it('should load no questions for users whose inbox lists none', async () => {
      watch = createWatch(false);
      await start();
      watch.onChange(createQuestionChange('ask'));
      await advanceAndWait(1_000);
      expect({ ids: listIds(), requests: client.requests }).to.deep.equal({ ids: ['one', 'two'], requests: [] });
    });

    it('should load the changed questions and remove those that are closed or do not exist', async () => {
      // given
      client.questionsById.set('erased', createQuestion('erased'));
      await start();
      client.questionsById.set('new', createQuestion('new'));
      client.questionsById.set('ask', createQuestion('ask', { status: 'answered' }));
      client.questionsById.delete('erased');
      // when
      watch.onChange(createQuestionChange('new'));
      watch.onChange(createQuestionChange('ask', 'question.answered'));
      watch.onChange(createQuestionChange('erased', 'question.withdrawn'));
      await advanceAndWait(1_000);
      // then
      expect(listIds()).to.deep.equal(['one', 'two', 'new']);
      expect(client.requests).to.deep.equal(['new', 'ask', 'erased']);
    });

    it('should check the questions of a run that has ended, and those of no other run', async () => {
      client.questionsById.set('other', createQuestion('other'));
      await start();
      client.questionsById.set('ask', createQuestion('ask', { status: 'withdrawn' }));
      watch.onChange(createQuestionChange('ask', 'run.cancelled'));
      watch.onChange(createQuestionChange('none', 'run.completed'));
      watch.onChange(createQuestionChange('other', 'run.migrated'));
      await advanceAndWait(1_000);
      expect(listIds()).to.deep.equal(['one', 'two', 'other']);
      expect(client.requests).to.deep.equal(['ask']);
    });

    it('should reload the list of questions, and not of approvals, after many changes in one batch', async () => {
      await start();
      for (let n = 0; n <= 10; n += 1) watch.onChange(createQuestionChange(`new-${n}`));
      await advanceAndWait(1_000);
      expect(client.requests).to.deep.equal(['questions']);
    });

    it('should list no questions if the server has none or the user may not read them', async () => {
      for (const error of [createProblem(404, 'route_not_found'), createProblem(403, 'forbidden')]) {
        watch = createWatch(true);
        client.questionError = error;
        await start();
        expect(readState(), String(error.status)).to.deep.equal({ ready: true, complete: true, ids: ['one', 'two'] });
        await advanceAndWait(60_000);
        expect(client.requests).to.deep.equal([]);
      }
    });

    it('should list the questions of an older server, which cannot sort them', async () => {
      client.sortError = createProblem(400, 'invalid_parameter');
      watch.refresh();
      await advanceAndWait(0);
      expect(readState()).to.deep.equal({ ready: true, complete: true, ids: ['one', 'two', 'ask'] });
      watch.refresh();
      await advanceAndWait(0);
      expect(client.requests).to.deep.equal(['list', 'questions', 'unsorted questions', 'list', 'unsorted questions']);
    });

    it('should track approvals while questions cannot be loaded, and load them later', async () => {
      // given
      client.questionError = new Error('No response.');
      await start();
      expect(readState()).to.deep.equal({ ready: true, complete: false, ids: ['one', 'two'] });
      // when
      client.byId.set('three', createApproval('three'));
      watch.onChange(createChange('three'));
      await advanceAndWait(1_000);
      // then
      expect(listIds()).to.deep.equal(['one', 'two', 'three']);
      expect(client.requests).to.deep.equal(['three']);
      // when
      client.questionError = undefined;
      await advanceAndWait(5_000);
      // then
      expect(readState()).to.deep.equal({ ready: true, complete: true, ids: ['one', 'two', 'three', 'ask'] });
    });

    it('should not wait forever for a server that does not respond about questions', async () => {
      client.listQuestions = (_query, { signal } = {}) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('The request was aborted.'))),
        );
      watch.refresh();
      await advanceAndWait(0);
      expect(watch.isReady).to.equal(false);
      await advanceAndWait(15_000);
      expect(readState()).to.deep.equal({ ready: true, complete: false, ids: ['one', 'two'] });
    });

    it('should send no requests for questions after close()', async () => {
      watch.refresh();
      clock.advance(0);
      watch.close();
      await waitForResponses();
      expect(client.requests).to.deep.equal(['list']);
    });
  });
});
