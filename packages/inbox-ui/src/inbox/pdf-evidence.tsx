import { useEffect, useState, type ComponentType } from 'react';
import { texts } from '../texts/index.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { UserFacingError } from '../ui/user-facing-error.js';

interface PdfEvidenceProps {
  /** Bytes of which the digest was verified. */
  readonly bytes: Uint8Array;
  /** Label for screen readers. */
  readonly label: string;
}

/** A PDF. The code that displays it is loaded when it is needed. */
export function PdfEvidence(props: PdfEvidenceProps) {
  const [View, setView] = useState<ComponentType<PdfEvidenceProps>>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let isOver = false;
    if (hasFailed) return undefined;
    import('./pdf/pdf-view.js').then(
      ({ PdfView }) => !isOver && setView(() => PdfView),
      () => !isOver && setHasFailed(true),
    );
    return () => {
      isOver = true;
    };
  }, [hasFailed]);
  if (View !== undefined) return <View {...props} />;
  return (
    <div data-loading="">
      {hasFailed ? (
        <ProblemNotice error={new UserFacingError(texts.pdf.notLoaded)} onRetry={() => setHasFailed(false)} />
      ) : (
        <Loading />
      )}
    </div>
  );
}
