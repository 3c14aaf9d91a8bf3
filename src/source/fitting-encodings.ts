import { encodingOf } from './encoding.ts';

/** Characters that are frequent in names, addresses and ordinary texts, by the encodings in which such files are written. */
const usual: readonly (readonly [encodings: readonly string[], characters: string])[] = [
  [
    ['shift_jis', 'euc-jp'],
    'のはをにがとでたしてるなあいうえおかきくけこさすせそちつぬねひふへほまみむめもやゆよらりれろわんアイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモヤヨラリルレロワンー・、。' +
      '一二三四五六七八九十丁目番号地都道府県市区町村山田中川本木大小東西南北京阪神奈井上下野原島崎高橋佐藤鈴伊渡辺加吉林松石前後千代新宿氏名住所電話金額合計年月日太郎子美',
  ],
  [
    ['gbk'],
    '的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后么心多天而能好都然没日于起成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民' +
      '省市区县路号李王张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗姓名地址电话金额合计',
  ],
  [
    ['big5'],
    '的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後麼心多天而能好都然沒日於起成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民' +
      '省市區縣路號李王張劉陳楊黃趙吳周徐孫馬朱胡林郭何高羅姓名地址電話金額合計段巷弄樓',
  ],
  [
    ['euc-kr'],
    '김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구나민진지수영현준호은미경희선혜숙자철시도군읍면동리로길번호층가나다라마바사아자차카타파하의를은는이가에서과와고도부대인천울산광역별특주소이름전화금액합계',
  ],
  [['windows-1251', 'koi8-r', 'ibm866', 'x-mac-cyrillic', 'iso-8859-5'], 'оеаинтсрвлкмдпуяыьгзбчйх'],
  [['windows-1253', 'iso-8859-7'], 'αοιετσνηυρπκμλςωδγχθφβάέήίόύώ'],
  [['windows-1255'], 'יהולאבתרמנשדקחפעגטזסצךםןף'],
  [['windows-1256', 'iso-8859-6'], 'اليمنوترهبةسدكعفقحجشطصخغ'],
  [['windows-874'], 'านรอกเงมยลวดทสตะปบคหแจพชขใไโผ่้ีิั็'],
];

/** The fewest of the characters beyond ASCII that are usual ones: of the many of East Asia, and of an alphabet. */
const least = { many: 0.3, letters: 0.6 };

/** Bytes that are enough to see what fits. */
const mostBytes = 64 * 1024;

/** An encoding that fits bytes, and a text as it reads them. */
export interface FittingEncoding {
  readonly name: string;
  readonly example: string;
}

/**
 * The encodings of other scripts than the Latin one in which these bytes make sense, the likeliest first; at most two. The bytes
 * are whole lines.
 */
export function fittingEncodings(bytes: Buffer): readonly FittingEncoding[] {
  const lines = linesBeyondAscii(bytes);
  if (lines.length === 0) return [];
  const found = usual.flatMap(([names, characters]) => {
    const known = new Set(characters);
    const asked = known.size > 100 ? least.many : least.letters;
    return names.map((name) => {
      const { score, example } = fit(lines, name, known);
      return { name, example, score: score / asked };
    });
  });
  const fitting = found.filter(({ score }) => score >= 1).sort((one, other) => other.score - one.score);
  const [best] = fitting;
  return fitting
    .filter(({ score }) => score > 0.8 * (best?.score ?? 0))
    .slice(0, 2)
    .map(({ name, example }) => ({ name, example }));
}

function linesBeyondAscii(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length && length < mostBytes;) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length;
    const line = bytes.subarray(at, end);
    if (line.some((byte) => byte > 0x7f)) {
      lines.push(line);
      length += line.length;
    }
    at = end;
  }
  return lines;
}

/** Letters of two scripts in one word. */
const besideAscii = /[A-Za-z](?=\P{ASCII})|\P{ASCII}(?=[A-Za-z])/gu;

/** How many of the characters beyond ASCII are usual ones; 0 if more than a few lines cannot be read. */
function fit(
  lines: readonly Buffer[],
  name: string,
  known: ReadonlySet<string>,
): { readonly score: number; readonly example: string } {
  const encoding = encodingOf(Buffer.alloc(0), name);
  const texts = lines.flatMap((line) => encoding.strict(line)?.toString() ?? []);
  const foreign = texts.flatMap((text) => text.match(/\P{ASCII}/gu) ?? []);
  const isRead = texts.length > 0.9 * lines.length && foreign.length > 0;
  if (!isRead) return { score: 0, example: '' };
  const hits = foreign.filter((character) => known.has(character.toLowerCase())).length;
  // Letters change to capitals within words where the encoding is another one of the same script.
  const mixed = texts.reduce((sum, text) => sum + (text.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0), 0);
  const joined = texts.reduce((sum, text) => sum + (text.match(besideAscii)?.length ?? 0), 0);
  const capitals = foreign.filter((character) => character !== character.toLowerCase()).length;
  const share = (hits - 2 * mixed - (known.size > 100 ? 0 : joined)) / foreign.length;
  return { score: capitals > 0.6 * foreign.length ? 0.85 * share : share, example: exampleIn(texts) };
}

/** The first word of letters beyond ASCII. */
function exampleIn(texts: readonly string[]): string {
  for (const text of texts) {
    const [word] = text.match(/[\p{L}\p{M}]*(?!\p{ASCII})\p{L}[\p{L}\p{M}]*/u) ?? [];
    if (word !== undefined) return Array.from(word).slice(0, 12).join('');
  }
  return '';
}
