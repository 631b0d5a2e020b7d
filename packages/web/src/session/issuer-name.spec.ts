import { expect } from 'chai';
import { getIssuerName } from './issuer-name.js';

describe('getIssuerName', () => {
  it('should return the host of the issuer', () => {
    expect(getIssuerName('https://login.example.com:8443/realms/one')).to.equal('login.example.com:8443');
  });

  it('should return the issuer unchanged if it is not a URL with a host', () => {
    expect(getIssuerName('login.example.com/realms')).to.equal('login.example.com/realms');
    expect(getIssuerName('login:one')).to.equal('login:one');
    expect(getIssuerName('')).to.equal('');
    expect(getIssuerName(null)).to.equal('');
  });
});
