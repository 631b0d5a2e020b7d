import { PersonScope, PersonSalts } from '@countersign/model';
import { EMPTY_ERASURE } from '@countersign/model/testing';
import { expect } from 'chai';
import { end, flows, start, TestRun, user } from '../interpreter.spec.support.js';

describe('personal_data.erase', () => {
  it('should remove the salts of the person, but not those of users whose id has the same ending', async () => {
    // given
    const run = await TestRun.of(start + end + flows('start > end'));
    run.start();
    const salts = new PersonSalts(undefined, () => '00');
    for (const id of ['ada', 'oidc:ada', 'bob']) salts.getOrCreate({ type: 'user', id });
    salts.getOrCreate({ type: 'service', id: 'ada' });
    const { state } = run;
    if (state === null) throw new Error('the run has not started');
    run.state = { ...state, personSalts: salts.toRecord() };

    // when
    run.do({
      type: 'personal_data.erase',
      actor: user('root'),
      reason: 'requested',
      scope: new PersonScope(['ada']),
      personId: 'ada',
      expectedSeq: state.seq,
      erasure: EMPTY_ERASURE,
      artifactNames: {},
      decisions: [],
    });

    // then
    expect(Object.keys(run.state?.personSalts ?? {})).to.have.members(['user:oidc:ada', 'user:bob']);
  });
});
