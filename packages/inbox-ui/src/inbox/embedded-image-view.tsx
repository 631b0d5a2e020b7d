import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { texts } from '../texts/index.js';
import { PlainOrFormatted } from '../ui/plain-or-formatted.js';
import { FoldedText } from './folded-text.js';
import type { EmbeddedImage } from './read-image-url.js';

const t = texts.approvals.image;

interface EmbeddedImageViewProps {
  readonly image: EmbeddedImage;
  /** The `data:` URL. */
  readonly text: string;
  readonly label: string;
}

/** An image in a subject, with its type and size. If the browser cannot display it, its text. */
export function EmbeddedImageView({ image, text, label }: EmbeddedImageViewProps) {
  const [isBroken, setBroken] = useState(false);
  const plain = <FoldedText text={text} />;
  if (isBroken) return plain;
  return (
    <PlainOrFormatted
      plain={plain}
      formatted={() => (
        <>
          <Picture image={image} label={label} onError={() => setBroken(true)} />
          <Text size="xs" c="dimmed">
            {t.description(image.type, image.bytes.length)}
          </Text>
        </>
      )}
      isFormattedFirst
    />
  );
}

function Picture({
  image: { bytes, type },
  label,
  onError,
}: {
  readonly image: EmbeddedImage;
  readonly label: string;
  onError(): void;
}) {
  const [url, setUrl] = useState<string>();
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const objectUrl = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [bytes, type]);
  return (
    // Nothing has been in view until the browser has decoded the image.
    <div data-partly-hidden={isLoaded ? undefined : ''}>
      {url !== undefined && (
        <img
          src={url}
          alt={t.alt(label)}
          className="cs-subject-image"
          onLoad={() => setLoaded(true)}
          onError={onError}
        />
      )}
    </div>
  );
}
