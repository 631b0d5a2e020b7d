import { RUN_EVENT_TYPES, type RunEventType } from '@countersign/model';
import { expect } from 'chai';
import { runEventTypeSchema, type RunEvent } from './run-event.js';

/** `true` if both unions have the same members, else `never`. */
type IsSameType<A, B> = [A, B] extends [B, A] ? true : never;

describe('schema of run events', () => {
  it('should contain exactly the types of the run event map', () => {
    const isSame: IsSameType<RunEvent['type'], RunEventType> = true;

    expect(isSame).to.equal(true);
    expect(runEventTypeSchema.options).to.have.members([...RUN_EVENT_TYPES]);
    expect(new Set(RUN_EVENT_TYPES).size).to.equal(RUN_EVENT_TYPES.length).and.greaterThan(50);
  });
});
