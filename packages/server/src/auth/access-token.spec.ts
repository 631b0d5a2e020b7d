import { ApiError } from '@countersign/core';
import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { requireAccessToken } from './access-token.js';

const refused = (header: { typ?: string }, payload: JWTPayload): boolean => {
  try {
    requireAccessToken(header, payload);
    return false;
  } catch (error) {
    expect(error).to.be.instanceOf(ApiError).with.property('code', 'invalid_token');
    return true;
  }
};

describe('requireAccessToken', () => {
  for (const typ of [undefined, 'JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt']) {
    it(`should accept a token with the type ${typ ?? 'left out'}`, () => {
      expect(refused(typ === undefined ? {} : { typ }, {})).to.equal(false);
    });
  }

  for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id+jwt', 'JWE', 'statement+jwt']) {
    it(`should refuse a token with the type ${typ}`, () => {
      expect(refused({ typ }, {})).to.equal(true);
    });
  }

  it('should distinguish access tokens from other tokens by their claims', () => {
    for (const typ of ['Bearer', 'service', 'agent']) expect(refused({}, { typ }), typ).to.equal(false);
    for (const typ of ['ID', 'Refresh', 'Logout', 'Offline', 7, {}])
      expect(refused({}, { typ }), String(typ)).to.equal(true);
    for (const name of ['nonce', 'at_hash', 'c_hash']) {
      expect(refused({ typ: 'JWT' }, { [name]: 'x' }), name).to.equal(true);
      expect(refused({}, { [name]: '' }), name).to.equal(true);
      expect(refused({ typ: 'at+jwt' }, { [name]: 'x' }), name).to.equal(false);
      expect(refused({}, { typ: 'Bearer', [name]: 'x' }), name).to.equal(false);
    }
    expect(refused({}, { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })).to.equal(true);
    expect(refused({}, { cnf: { jkt: 'x' } })).to.equal(true);
    expect(refused({}, { cnf: null })).to.equal(true);
  });
});
