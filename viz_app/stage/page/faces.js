// The two faces that the page is set in. They come with it, so that it looks the same everywhere.

const WEIGHTS = "400 700"; // that each file holds
/** Signs that one face has and the other lacks, as CSS writes them. @type {Record<string, string>} */
const ONLY_IN = {
  Inter: "U+1D62, U+2011, U+2016, U+2091, U+2095-2096, U+2099, U+209C, U+21B3, U+21D2, U+2205, U+2423, U+25CB, U+2713, U+2C7C",
  "JetBrains Mono": "U+2208, U+2227-2228, U+2261, U+2581, U+25B8, U+25BE",
};

/** The file of each face that is used, by its family. @type {Map<string, Uint8Array>} */
const used = new Map();

/**
 * Sets the page in these faces; each lends the other what it lacks.
 * @param {Record<string, Uint8Array>} faces the files, by the family
 * @returns {Promise<unknown>} that they are there
 */
export function useFaces(faces) {
  const added = Object.entries(faces).filter(([family]) => !used.has(family))
    .flatMap(([family, file]) => {
      used.set(family, file);
      const bytes = /** @type {ArrayBuffer} */ (file.buffer);
      const others = Object.keys(ONLY_IN).filter((other) => other !== family);
      return [new window.FontFace(family, bytes, { weight: WEIGHTS }), ...others.map((other) =>
        new window.FontFace(other, bytes, { weight: WEIGHTS, unicodeRange: ONLY_IN[family] }))];
    });
  for (const face of added) document.fonts.add(face);
  return Promise.all(added.map(({ loaded }) => loaded));
}

/** The faces that are used and named in a text, each with its file. @param {string} text */
export const facesIn = (text) => [...used].filter(([family]) => text.includes(family))
  .map(([family, file]) => ({ family, file, weight: WEIGHTS }));
