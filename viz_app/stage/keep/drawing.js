// What draws a picture of the open room and signs it: one value, which a page that a server answers
// fetches when a picture is asked for.

import { drawPicture } from "./picture.js";
import { pngOf, signatureOf, signedSvg } from "./signed.js";

export const drawing = { drawPicture, pngOf, signatureOf, signedSvg };
