import { expect } from 'chai';
import { issuerName } from './issuer-name.js';

describe('issuerName', () => {
  it('should return the host of the issuer', () => {
    expect(issuerName('https://login.example.com:8443/realms/one')).to.equal('login.example.com:8443');
  });

  it('should return the issuer unchanged if it is not a URL with a host', () => {
    expect(issuerName('login.example.com/realms')).to.equal('login.example.com/realms');
    expect(issuerName('login:one')).to.equal('login:one');
    expect(issuerName('')).to.equal('');
    expect(issuerName(null)).to.equal('');
  });
});
