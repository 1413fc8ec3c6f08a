# Functions for scripts that use a release bundle as a Maven repository. Source it; arguments of the script go to Maven (-o without a network).
# Nothing is written to the local repository of the user: what consumers need beyond it is kept in a folder of its own, so that
# a second run needs no network.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=${REFRAIN_CONSUMER_WORK:-$(mktemp -d)}
export REFRAIN_CONSUMER_REPOSITORY=${REFRAIN_CONSUMER_REPOSITORY:-$root/lab/release/target/consumer-repository}

# A JDK 21 or later: that of JAVA_HOME or the PATH, or the newest in the usual place.
for home in "${JAVA_HOME-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java || echo /none/bin/java)")")")" \
  $(ls -d /usr/lib/jvm/*/ 2>/dev/null | sort -r); do
  if [ -x "$home/bin/javac" ] && "$home/bin/javac" --release 21 -version >/dev/null 2>&1; then
    export JAVA_HOME=$home
    break
  fi
done

# Unpacks the bundle as README.md says, in a home of its own, and sets $version.
use_bundle() {
  mkdir -p "$work/home"
  unzip -q -o "$1" -d "$work/home/refrain-repository"
  rm -rf "$REFRAIN_CONSUMER_REPOSITORY/dev/refrain"
  version=$(basename "$work"/home/refrain-repository/dev/refrain/refrain-bom/*)
  echo '<settings/>' >"$work/settings.xml"
  link_local_repository
}

# Links what the user's local repository has but for our own artifacts: another build of the same version would be taken instead of the bundle's.
link_local_repository() {
  local folder
  mkdir -p "$work/local/dev"
  for folder in "$HOME"/.m2/repository/* "$HOME"/.m2/repository/dev/*; do
    case ${folder#"$HOME"/.m2/repository/} in
    dev | dev/refrain | '*' | 'dev/*') ;;
    *) ln -sfn "$folder" "$work/local/${folder#"$HOME"/.m2/repository/}" ;;
    esac
  done
}

# Adds the repository to a pom.xml, in the words of README.md.
add_repository() { # POM
  local line
  line=$(sed -n 's#.*in Maven as `\(<repository>.*</repository>\)`.*#\1#p' "$root/README.md")
  [ -n "$line" ] || { echo "README.md does not say how the repository is added." >&2; exit 1; }
  sed -i "s#^</project>#  <repositories>$line</repositories>\n&#" "$1"
}

# Writes each block of a page that follows <!-- file: NAME --> to a file of that name.
extract() { # PAGE FOLDER
  awk -v folder="$2" '
    /^<!-- file: .* -->$/ { name = $3; next }
    /^```/ && name != "" && file == "" { file = folder "/" name; system("mkdir -p \"$(dirname \"" file "\")\""); printf "" > file; next }
    /^```/ { if (file != "") close(file); file = name = ""; next }
    file != "" { print > file }
  ' "$1"
}

maven() {
  "$root/mvnw" --batch-mode --quiet --settings "$work/settings.xml" "-Duser.home=$work/home" -Daether.offline.protocols=file \
    "-Dmaven.repo.local=$REFRAIN_CONSUMER_REPOSITORY" "-Dmaven.repo.local.tail=$work/local" "$@"
}
