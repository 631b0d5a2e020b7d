import { ProblemError, type FieldError } from '@countersign/contract';
import { expect } from 'chai';
import { findUnknownNames } from './find-unknown-names.js';

const createError = (...errors: FieldError[]): ProblemError =>
  new ProblemError({
    type: 'about:blank',
    title: 'Invalid',
    status: 422,
    detail: 'Not known here.',
    code: 'validation_failed',
    instance: null,
    retryable: false,
    traceId: '0',
    errors,
  });
const createFieldError = (pointer: string, code: string): FieldError => ({ pointer, code, message: 'Unknown.' });

describe('findUnknownNames', () => {
  it('should return the users and groups to which the error refers', () => {
    // given
    const names = { candidateUsers: ['ada', 'zoo'], candidateGroups: ['nobody'] };

    // when
    const error = createError(
      createFieldError('/candidateUsers/1', 'unknown_user'),
      createFieldError('/candidateGroups/0', 'unknown_group'),
    );

    // then
    expect(findUnknownNames(error, names)).to.deep.equal({ users: ['zoo'], groups: ['nobody'] });
    expect(findUnknownNames(createError(createFieldError('/to', 'unknown_user')), { to: 'bbo' })).to.deep.equal({
      users: ['bbo'],
      groups: [],
    });
  });

  it('should return nothing for other errors and names that are not in the body', () => {
    expect(findUnknownNames(new Error('unknown_user'), { to: 'ada' })).to.equal(undefined);
    expect(findUnknownNames(createError(createFieldError('/to', 'invalid')), { to: 'ada' })).to.equal(undefined);
    for (const pointer of ['/until', '/constructor', '', '/candidateUsers/7'])
      expect(
        findUnknownNames(createError(createFieldError(pointer, 'unknown_user')), { candidateUsers: ['ada'] }),
      ).to.equal(undefined);
  });
});
