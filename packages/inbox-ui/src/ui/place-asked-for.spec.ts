import { expect } from 'chai';
import { createMemoryRouter } from 'react-router';
import { followRouter, placeAskedFor } from './place-asked-for.js';

describe('placeAskedFor', () => {
  /** One page that is there at once, and one that never finishes loading. */
  const routes = [{ path: '/approvals/*' }, { path: '/runs', lazy: () => new Promise<never>(() => undefined) }];
  const start = (basename = '/') =>
    followRouter(
      createMemoryRouter(routes, { basename, initialEntries: [`${basename}/approvals?hide=mine`.replace('//', '/')] }),
    );

  it('should be the place that is shown', () => {
    start();
    expect(placeAskedFor()).to.deep.equal({ pathname: '/approvals', query: 'hide=mine' });
  });

  it('should be the place that was asked for last, before anything is drawn', () => {
    // given
    const router = start();

    // when
    void router.navigate('/approvals');
    void router.navigate('/approvals/one?q=7654');

    // then
    expect(placeAskedFor()).to.deep.equal({ pathname: '/approvals/one', query: 'q=7654' });
  });

  it('should be the page that is loading, until another one is asked for', () => {
    // given
    const router = start();

    // when
    void router.navigate('/runs?status=failed');

    // then
    expect(placeAskedFor()).to.deep.equal({ pathname: '/runs', query: 'status=failed' });
    void router.navigate('/approvals');
    expect(placeAskedFor()).to.deep.equal({ pathname: '/approvals', query: '' });
  });

  it('should leave out the path that the server is mounted at', () => {
    const router = start('/countersign');
    expect(placeAskedFor().pathname).to.equal('/approvals');
    void router.navigate('/approvals/one');
    expect(placeAskedFor().pathname).to.equal('/approvals/one');
  });
});
