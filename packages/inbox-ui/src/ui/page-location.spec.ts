import { expect } from 'chai';
import { createMemoryRouter } from 'react-router';
import { trackRouter, getRequestedLocation } from './page-location.js';

describe('getRequestedLocation', () => {
  /** One page that is available immediately, and one that never finishes loading. */
  const routes = [{ path: '/approvals/*' }, { path: '/runs', lazy: () => new Promise<never>(() => undefined) }];
  const createRouter = (basename = '/') =>
    trackRouter(
      createMemoryRouter(routes, { basename, initialEntries: [`${basename}/approvals?hide=mine`.replace('//', '/')] }),
    );

  it('should return the displayed location', () => {
    createRouter();
    expect(getRequestedLocation()).to.deep.equal({ pathname: '/approvals', query: 'hide=mine' });
  });

  it('should return the last requested location before it is rendered', () => {
    // given
    const router = createRouter();

    // when
    void router.navigate('/approvals');
    void router.navigate('/approvals/one?q=7654');

    // then
    expect(getRequestedLocation()).to.deep.equal({ pathname: '/approvals/one', query: 'q=7654' });
  });

  it('should return the location that is loading until another location is requested', () => {
    // given
    const router = createRouter();

    // when
    void router.navigate('/runs?status=failed');

    // then
    expect(getRequestedLocation()).to.deep.equal({ pathname: '/runs', query: 'status=failed' });
    void router.navigate('/approvals');
    expect(getRequestedLocation()).to.deep.equal({ pathname: '/approvals', query: '' });
  });

  it('should omit the base path of the server', () => {
    const router = createRouter('/countersign');
    expect(getRequestedLocation().pathname).to.equal('/approvals');
    void router.navigate('/approvals/one');
    expect(getRequestedLocation().pathname).to.equal('/approvals/one');
  });
});
