import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import type { RunEventDraft } from './advance-result.js';
import { PersonSalts, computePersonDigest } from './person-digest.js';
import { chainEvents, GENESIS_HASH } from './run-event.js';
import type { RunEventType } from './run-event-definitions.js';

const ADA = { type: 'user', id: 'ada "the first"', name: 'Ada' } as const;

describe('digests of the people whom events name', () => {
  const draft = (type: RunEventType, privatePart: RunEventDraft['private']): RunEventDraft => ({
    seq: 1,
    at: 0,
    type,
    stepId: null,
    elementId: null,
    data: { a: 1 },
    private: privatePart,
  });
  const countingSalt = (): (() => string) => {
    let count = 0;
    return () => String((count += 1)).padStart(32, '0');
  };
  const chainDrafts = (salts: PersonSalts, ...drafts: RunEventDraft[]) =>
    chainEvents('run', GENESIS_HASH, drafts, () => 'ab'.repeat(16), salts);

  it('should hash the RFC 8785 form of id, salt and type, and keep the salt private', () => {
    const [event] = chainDrafts(
      new PersonSalts({}, countingSalt()),
      draft('approval.voted', { actor: { ...ADA }, comment: null, inPlaceOf: 'bob' }),
    );

    const expectedDigest = (person: object): string =>
      createHash('sha256')
        .update(canonicalize(person) ?? '')
        .digest('hex');
    const { actor, inPlaceOf } = event?.private?.['personSalts'] as Record<string, string>;
    expect(event?.data).to.deep.equal({
      a: 1,
      personDigests: {
        actor: expectedDigest({ id: ADA.id, salt: actor, type: 'user' }),
        inPlaceOf: expectedDigest({ id: 'bob', salt: inPlaceOf, type: 'user' }),
      },
    });
    expect(event?.dataText).to.equal(canonicalize(event?.data));
    expect(computePersonDigest(ADA, String(actor))).to.equal(
      (event?.data['personDigests'] as Record<string, string>)['actor'],
    );
  });

  it('should be equal for a person within a run and differ between runs', () => {
    const chainedDigests = (salts: PersonSalts): unknown[] => {
      const events = chainDrafts(
        salts,
        draft('run.started', { actor: { ...ADA } }),
        draft('run.recovered', { actor: { ...ADA, name: 'A.' } }),
        draft('run.recovered', { actor: { ...ADA, type: 'service' } }),
      );
      return events.map(({ data }) => (data['personDigests'] as Record<string, string>)['actor']);
    };
    const drawSalt = countingSalt();
    const [first, second, service] = chainedDigests(new PersonSalts(undefined, drawSalt));
    const [otherRunDigest] = chainedDigests(new PersonSalts(undefined, drawSalt));

    expect(second).to.equal(first);
    expect(new Set([first, service, otherRunDigest])).to.have.lengthOf(3);
  });

  const listMemberByType = {
    'approval.requested': 'candidateUsers',
    'approval.reassigned': 'candidateUsers',
    'agent.call.requested': 'candidateUsers',
    'run.started': 'contributors',
    'message.received': 'contributors',
    'signal.received': 'contributors',
    'child.ended': 'contributors',
  };
  for (const [type, member] of Object.entries(listMemberByType) as [RunEventType, string][]) {
    it(`should be a list when an event names several people: ${member} of ${type}`, () => {
      const salts = new PersonSalts({}, countingSalt());
      const [event, eventWithoutPeople] = chainDrafts(
        salts,
        draft(type, { [member]: ['bob', 'ada', 'bob'] }),
        draft(type, { [member]: [] }),
      );

      const memberSalts = (event?.private?.['personSalts'] as Record<string, string[]>)[member] ?? [];
      expect(event?.data).to.deep.equal({
        a: 1,
        personDigests: {
          [member]: ['bob', 'ada', 'bob'].map((id, index) =>
            computePersonDigest({ type: 'user', id }, memberSalts[index] ?? ''),
          ),
        },
      });
      expect(memberSalts[2]).to.equal(memberSalts[0]).and.to.not.equal(memberSalts[1]);
      expect(eventWithoutPeople?.data).to.deep.equal({ a: 1 });
    });
  }

  it('should draw no salt for people known to the run or for events without people', () => {
    const initialSalts = new PersonSalts({}, countingSalt());
    chainDrafts(initialSalts, draft('run.started', { actor: { ...ADA, id: '__proto__' } }));
    const restoredSalts = new PersonSalts(initialSalts.toRecord(), () => expect.fail('no salt should be drawn'));
    const [knownPersonEvent, systemEvent, eventWithoutPeople] = chainDrafts(
      restoredSalts,
      draft('run.recovered', { actor: { ...ADA, id: '__proto__' } }),
      draft('run.recovered', { actor: { type: 'system', id: 'countersign' } }),
      draft('run.recovered', null),
    );

    expect(initialSalts.hasNewSalts).to.equal(true);
    expect(restoredSalts.hasNewSalts).to.equal(false);
    expect(knownPersonEvent?.data).to.have.property('personDigests');
    for (const event of [systemEvent, eventWithoutPeople]) expect(event?.data).to.deep.equal({ a: 1 });
  });
});
