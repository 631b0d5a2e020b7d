import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { escapeInvisible } from './escape-invisible.js';
import { parseLinkTarget } from './markdown-tree.js';
import { startsWithHost } from './starts-with-host.js';

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
  // The host is omitted only if the label itself is the address, and begins with the host as it is contacted. Any other
  // label could be crafted to look like another address, for example with a user name before the host.
  const isAddressShown = typeof label === 'string' && startsWithHost(label, target.host);
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
