import { expect } from 'chai';
import { jsx, jsxs } from './jsx-runtime.js';

const getProps = (element: unknown): unknown => (element as { readonly props: unknown }).props;

describe('JSX runtime', () => {
  it('should escape invisible characters in children, titles and labels', () => {
    expect(getProps(jsx('b', { 'children': 'a\u202eb', 'title': '\u200b', 'aria-label': '\u2800' }))).to.deep.equal({
      'children': 'a⟦U+202E⟧b',
      'title': '⟦U+200B⟧',
      'aria-label': '⟦U+2800⟧',
    });
    expect(getProps(jsxs('b', { children: ['a\u3164', 1, null] }))).to.deep.equal({ children: ['a⟦U+3164⟧', 1, null] });
    expect(getProps(jsx('b', { data: [{ value: '\u200b', label: '\u200b' }, '\u200b'] }))).to.deep.equal({
      data: [{ value: '\u200b', label: '⟦U+200B⟧' }, '\u200b'],
    });
  });

  it('should not change values, URLs or ordinary text', () => {
    // given
    const children = ['a', 'b'];

    // when
    const props = getProps(jsxs('input', { value: 'a\u202eb', href: '\u200b', children })) as {
      readonly children: unknown;
    };

    // then
    expect(props).to.deep.equal({ value: 'a\u202eb', href: '\u200b', children });
    expect(props.children).to.equal(children);
  });
});
