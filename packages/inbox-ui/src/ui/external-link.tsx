import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { escapeInvisible } from './escape-invisible.js';
import { parseLinkTarget } from './markdown-tree.js';

interface ExternalLinkProps {
  readonly href: string | undefined;
  readonly title?: string | undefined;
  readonly label: ReactNode;
}

/**
 * Link to an untrusted address, with its host after the label. An address of another scheme than http, https or mailto
 * is not a link.
 */
export function ExternalLink({ href, title, label }: ExternalLinkProps) {
  const target = parseLinkTarget(href);
  if (target === undefined) return <span>{label}</span>;
  // The host is omitted only if the label itself is the address: a label that merely contains the host could be crafted
  // to look like another address.
  const isAddressShown =
    typeof label === 'string' && (label === target.host || parseLinkTarget(label)?.host === target.host);
  return (
    <>
      <a
        href={target.href}
        title={title === undefined ? undefined : escapeInvisible(title)}
        rel="noopener noreferrer"
        target="_blank"
      >
        {label}
      </a>
      {!isAddressShown && <span className="cs-link-host"> {texts.ui.markdown.host(target.host)}</span>}
    </>
  );
}
