"""The manifest by which a learning platform takes a lesson pack: SCORM 1.2, content packaging.

The page is what is launched; platform.js in it says how far a lesson has come. What else is in the
pack is listed and not linked: the sheet of a teacher has the answers.
"""

import hashlib
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from viz_app.files.signed import NOT_IN_XML

MANIFEST = "imsmanifest.xml"
_SPACES = {
    "": "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
    ":adlcp": "http://www.adlnet.org/xsd/adlcp_rootv1p2",
    ":xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
_MOST = 200  # letters of a title
_SCHEMAS = (
    f"{_SPACES['']} imscp_rootv1p1p2.xsd",
    f"{_SPACES[':adlcp']} adlcp_rootv1p2.xsd",
)


def manifest(title: str, launched: str, names: Sequence[str]) -> bytes:
    """The manifest of a pack of these files, of which one is launched."""
    others = [name for name in names if name != launched]
    title = " ".join(NOT_IN_XML.sub(" ", title).split()) or launched
    title = title if len(title) <= _MOST else f"{title[: _MOST - 1]}…"
    spaces = " ".join(f"xmlns{name}={quoteattr(said)}" for name, said in _SPACES.items())
    key = hashlib.sha256("\n".join((title, *names)).encode()).hexdigest()[:16]
    listed = "\n      ".join(f"<file href={quoteattr(name)}/>" for name in others)
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="attention-visualiser-{key}" version="1.1" {spaces} \
xsi:schemaLocation={quoteattr(" ".join(_SCHEMAS))}>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="lesson">
    <organization identifier="lesson">
      <title>{escape(title)}</title>
      <item identifier="item" identifierref="page" isvisible="true">
        <title>{escape(title)}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" \
href={quoteattr(launched)}>
      <file href={quoteattr(launched)}/>
    </resource>
    <resource identifier="files" type="webcontent" adlcp:scormtype="asset">
      {listed}
    </resource>
  </resources>
</manifest>
"""
    return text.encode()
