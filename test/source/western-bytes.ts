/** What these encodings have beyond Latin-1; of the first no more than the tests need. */
export const beyondLatin1 = {
  'windows-1252': { '€': 0x80, '„': 0x84, '…': 0x85, '’': 0x92, '“': 0x93, '–': 0x96, Ž: 0x8e, ž: 0x9e },
  'iso-8859-15': {
    ...{ '€': 0xa4, Š: 0xa6, š: 0xa8, Ž: 0xb4 },
    ...{ ž: 0xb8, Œ: 0xbc, œ: 0xbd, Ÿ: 0xbe },
  },
};

/** A text in one of them. */
export function bytesOf(text: string, encoding: keyof typeof beyondLatin1): Buffer {
  const codes = new Map(Object.entries(beyondLatin1[encoding]));
  return Buffer.from(Array.from(text, (sign) => codes.get(sign) ?? sign.charCodeAt(0)));
}
