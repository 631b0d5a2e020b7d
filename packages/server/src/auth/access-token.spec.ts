import { ApiError } from '@countersign/core';
import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { requireAccessToken } from './access-token.js';

const isRefused = (header: { typ?: string }, payload: JWTPayload): boolean => {
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
      expect(isRefused(typ === undefined ? {} : { typ }, {})).to.equal(false);
    });
  }

  for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id+jwt', 'JWE', 'statement+jwt']) {
    it(`should refuse a token with the type ${typ}`, () => {
      expect(isRefused({ typ }, {})).to.equal(true);
    });
  }

  it('should distinguish access tokens from other tokens by their claims', () => {
    for (const typ of ['Bearer', 'service', 'agent']) expect(isRefused({}, { typ }), typ).to.equal(false);
    for (const typ of ['ID', 'Refresh', 'Logout', 'Offline', 7, {}])
      expect(isRefused({}, { typ }), String(typ)).to.equal(true);
    for (const name of ['nonce', 'at_hash', 'c_hash']) {
      expect(isRefused({ typ: 'JWT' }, { [name]: 'x' }), name).to.equal(true);
      expect(isRefused({}, { [name]: '' }), name).to.equal(true);
      expect(isRefused({ typ: 'at+jwt' }, { [name]: 'x' }), name).to.equal(false);
      expect(isRefused({}, { typ: 'Bearer', [name]: 'x' }), name).to.equal(false);
    }
    expect(isRefused({}, { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })).to.equal(true);
    expect(isRefused({}, { cnf: { jkt: 'x' } })).to.equal(true);
    expect(isRefused({}, { cnf: null })).to.equal(true);
  });
});
