package dev.refrain.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A POM of this build. */
record PomFile(Document document) {

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{(.*)}");

    /**
     * Entry of a {@code dependencyManagement}.
     *
     * @param versionProperty the property that is its version, empty where it is written out
     */
    record ManagedDependency(String group, String artifact, String versionProperty, boolean isImport) {}

    /** @param folder of the module, from the root of the build */
    static PomFile of(String folder) throws Exception {
        return read(Path.of("../..", folder, "pom.xml"));
    }

    static PomFile read(Path file) throws Exception {
        return new PomFile(
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
    }

    List<String> modules() throws XPathExpressionException {
        return texts("/project/modules/module");
    }

    /** Returns the artifacts that users of the module get as well, those of profiles included. */
    List<String> dependenciesOutsideTests() throws XPathExpressionException {
        return texts("//dependency[not(ancestor::dependencyManagement)][not(scope = 'test')]/artifactId");
    }

    /** Returns all artifacts that are built or fetched before the module, those of its tests included. */
    List<String> dependencies() throws XPathExpressionException {
        return texts("//dependency[not(ancestor::dependencyManagement)]/artifactId");
    }

    String artifact() throws XPathExpressionException {
        return texts("/project/artifactId").getFirst();
    }

    /** Returns the version of the module, which all but the root have from their parent. */
    String version() throws XPathExpressionException {
        return texts("/project/version | /project/parent/version").getFirst();
    }

    List<String> managedArtifacts() throws XPathExpressionException {
        return texts("/project/dependencyManagement/dependencies/dependency/artifactId");
    }

    List<ManagedDependency> managedDependencies() throws XPathExpressionException {
        var managed = new ArrayList<ManagedDependency>();
        var dependencies = nodes("/project/dependencyManagement/dependencies/dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            var dependency = (Element) dependencies.item(i);
            var property = PROPERTY.matcher(child(dependency, "version"));
            managed.add(new ManagedDependency(
                    child(dependency, "groupId"),
                    child(dependency, "artifactId"),
                    property.matches() ? property.group(1) : "",
                    child(dependency, "scope").equals("import")));
        }
        return managed;
    }

    Map<String, String> properties() throws XPathExpressionException {
        var properties = new TreeMap<String, String>();
        var elements = nodes("/project/properties/*");
        for (int i = 0; i < elements.getLength(); i++) {
            properties.put(
                    elements.item(i).getNodeName(),
                    elements.item(i).getTextContent().strip());
        }
        return properties;
    }

    boolean isPublished() throws XPathExpressionException {
        return texts("/project/properties/*[name() = 'maven.deploy.skip' or name() = 'maven.install.skip'][. = 'true']")
                        .size()
                < 2;
    }

    /** Returns what the module's jar is called on the module path; empty where there is no jar. */
    Optional<String> moduleName() throws XPathExpressionException {
        return Optional.ofNullable(properties().get("refrain.module.name"));
    }

    private static String child(Element element, String name) {
        var children = element.getElementsByTagName(name);
        return children.getLength() == 0
                ? ""
                : children.item(0).getTextContent().strip();
    }

    private NodeList nodes(String path) throws XPathExpressionException {
        return (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
    }

    private List<String> texts(String path) throws XPathExpressionException {
        var nodes = nodes(path);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> nodes.item(i).getTextContent().strip())
                .toList();
    }
}
