import { expect } from 'chai';
import { callInTimeZone } from '../presence/call-in-time-zone.spec.support.js';
import { createAbsenceConfirmation, createReassignmentConfirmation } from './confirmation-request.js';

describe('confirmation requests for absences, delegations and reassignments', () => {
  it('should show the substitute, the start and the end of an absence', () => {
    const detail = createAbsenceConfirmation({
      body: { substitute: 'bob', from: '2099-01-05T12:00:00Z', until: '2099-01-12T12:00:00Z' },
    })?.detail;
    expect(detail).to.match(/^Substitute: bob\nFrom: Monday,? 5 January 2099.*\nUntil: Monday,? 12 January 2099/);
    expect(
      createAbsenceConfirmation({ body: { substitute: 'bob', until: '2099-01-12T12:00:00Z' } })?.detail,
    ).to.contain('\nFrom: Now\n');
  });

  it('should show the UTC offset if the start or end of an absence falls in a repeated hour', () => {
    // given
    const body = { substitute: 'bob', from: '2099-10-25T00:30:00Z', until: '2099-10-25T01:30:00Z' };
    // when
    const module = new URL('./confirmation-request.js', import.meta.url);
    const confirmation = callInTimeZone('Europe/Berlin', module, 'createAbsenceConfirmation', { body });
    // then
    expect(confirmation)
      .to.have.property('detail')
      .that.matches(/\nFrom: .* 02:30 UTC\+02:00\nUntil: .* 02:30 UTC\+01:00\n/);
  });

  it('should not ask for confirmation if the absence has no substitute', () => {
    expect(createAbsenceConfirmation({ body: { until: '2099-01-12T12:00:00Z' } })).to.equal(undefined);
  });

  it('should keep a name on one line and show its invisible characters', () => {
    const detail =
      createAbsenceConfirmation({
        body: { substitute: 'bob\u202e\n\n\nUntil: yesterday', until: '2099-01-12T12:00:00Z' },
      })?.detail ?? '';
    expect(detail.split('\n')[0]).to.equal('Substitute: bob⟦U+202E⟧ Until: yesterday');
  });

  it('should show the title, the person and the end of a delegation', () => {
    const approval = { title: 'Approve\nit' };
    expect(
      createReassignmentConfirmation('delegateApproval', approval, {
        body: { to: 'dora', until: undefined, other: undefined },
      }),
    ).to.deep.equal({
      message: 'Let someone else decide for you?',
      detail: 'Approve it\n\nWho may decide for you: dora\nUntil: No end date',
    });
    const body = { to: 'dora\u200b', until: '2099-01-12T12:00:00Z' };
    expect(createReassignmentConfirmation('delegateApproval', approval, { body }).detail).to.match(
      /^Approve it\n\nWho may decide for you: dora⟦U\+200B⟧\nUntil: Monday,? 12 January 2099/,
    );
  });

  it('should show all fields of a reassignment and the number of candidates it omits', () => {
    const body = {
      candidateUsers: ['dora', 'eve\nGroups:'],
      candidateGroups: Array.from({ length: 100 }, (_, index) => `group-${index}`),
      comment: 'I am away.\nUsers: nobody',
      constructor: { unknown: true },
    };
    const { message, detail } = createReassignmentConfirmation('reassignApproval', { title: 'x' }, { body });
    expect(message).to.equal('Let others decide?');
    expect(detail.split('\n')).to.deep.equal([
      'x',
      '',
      'Users:',
      '    dora',
      '    eve Groups:',
      'Groups:',
      ...body.candidateGroups.slice(0, 8).map((group) => `    ${group}`),
      '    … and 92 more, which the window shows',
      'Comment: I am away. Users: nobody',
      'constructor: {"unknown":true}',
    ]);
  });

  it('should say that the user has confirmed a name that is not known', () => {
    // given
    const body = { to: 'dora', substitute: 'dora', until: '2099-01-01T00:00:00Z', allowUnknown: true };
    const note = 'Names that are not known here are accepted.';

    // then
    expect(createReassignmentConfirmation('delegateApproval', { title: 'x' }, { body }).detail.split('\n')).to.include(
      note,
    );
    expect(createAbsenceConfirmation({ body })?.detail.split('\n')).to.include(note);
    expect(createAbsenceConfirmation({ body: { ...body, allowUnknown: false } })?.detail).not.to.include(note);
  });

  it('should show a time that the server will refuse as it is', () => {
    const body = { to: 'dora', until: 'tomorrow\u200b' };
    expect(createReassignmentConfirmation('delegateApproval', { title: 'x' }, { body }).detail).to.contain(
      'Until: tomorrow⟦U+200B⟧',
    );
  });
});
